// Command feeds is what a person would write by hand instead of fetchrun: net/http, gofeed and
// sqlite3, with conditional requests. It has no history, no sandbox, no schedule and no limits.
//
//	feeds store.sqlite addresses.txt
package main

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	_ "github.com/mattn/go-sqlite3"
	"github.com/mmcdole/gofeed"
)

const workers = 100

type source struct{ url, etag, modified string }

type result struct {
	source
	feed *gofeed.Feed
}

func main() {
	db, err := sql.Open("sqlite3", os.Args[1]+"?_journal_mode=WAL&_synchronous=FULL")
	check(err)
	defer db.Close()
	db.SetMaxOpenConns(1)
	_, err = db.Exec(`
		CREATE TABLE IF NOT EXISTS feeds(url TEXT PRIMARY KEY, etag TEXT, modified TEXT);
		CREATE TABLE IF NOT EXISTS items(
			url TEXT, guid TEXT, title TEXT, link TEXT, date INTEGER, text TEXT,
			PRIMARY KEY(url, guid))`)
	check(err)

	sources, results := make(chan source), make(chan result, workers)
	client := http.Client{Timeout: 30 * time.Second, Transport: transport()}
	var group sync.WaitGroup
	for i := 0; i < workers; i++ {
		group.Add(1)
		go func() {
			defer group.Done()
			for next := range sources {
				fetch(&client, next, results)
			}
		}()
	}
	known := validators(db)
	go func() {
		for _, url := range lines(os.Args[2]) {
			next, found := known[url]
			if !found {
				next = source{url: url}
			}
			sources <- next
		}
		close(sources)
		group.Wait()
		close(results)
	}()
	store(db, results)
}

func fetch(client *http.Client, next source, results chan<- result) {
	request, err := http.NewRequest("GET", next.url, nil)
	check(err)
	if next.etag != "" {
		request.Header.Set("If-None-Match", next.etag)
	}
	if next.modified != "" {
		request.Header.Set("If-Modified-Since", next.modified)
	}
	response, err := client.Do(request)
	check(err)
	defer response.Body.Close()
	if response.StatusCode == http.StatusNotModified {
		return
	}
	if response.StatusCode != http.StatusOK {
		log.Fatalf("%s: %s", next.url, response.Status)
	}
	feed, err := gofeed.NewParser().Parse(response.Body)
	check(err)
	next.etag, next.modified = response.Header.Get("ETag"), response.Header.Get("Last-Modified")
	results <- result{next, feed}
}

// store writes all results in one transaction, which begins with the first one.
func store(db *sql.DB, results <-chan result) {
	first, any := <-results
	if !any {
		fmt.Println(0)
		return
	}
	change, err := db.Begin()
	check(err)
	insert, err := change.Prepare("INSERT OR IGNORE INTO items VALUES (?, ?, ?, ?, ?, ?)")
	check(err)
	keep, err := change.Prepare("INSERT OR REPLACE INTO feeds VALUES (?, ?, ?)")
	check(err)
	var added int64
	one := func(r result) {
		for _, item := range r.feed.Items {
			text, date := item.Content, int64(0)
			if text == "" {
				text = item.Description
			}
			if item.PublishedParsed != nil {
				date = item.PublishedParsed.Unix()
			} else if item.UpdatedParsed != nil {
				date = item.UpdatedParsed.Unix()
			}
			done, err := insert.Exec(r.url, item.GUID, item.Title, item.Link, date, text)
			check(err)
			count, err := done.RowsAffected()
			check(err)
			added += count
		}
		_, err := keep.Exec(r.url, r.etag, r.modified)
		check(err)
	}
	one(first)
	for next := range results {
		one(next)
	}
	check(change.Commit())
	fmt.Println(added)
}

func validators(db *sql.DB) map[string]source {
	known := map[string]source{}
	rows, err := db.Query("SELECT url, etag, modified FROM feeds")
	check(err)
	defer rows.Close()
	for rows.Next() {
		var s source
		check(rows.Scan(&s.url, &s.etag, &s.modified))
		known[s.url] = s
	}
	check(rows.Err())
	return known
}

// transport connects the names of the farm to the loopback interface, as RFC 6761 asks of
// localhost; the resolver of Go asks a name server for them.
func transport() http.RoundTripper {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConns, transport.MaxIdleConnsPerHost = 0, workers
	var dialer net.Dialer
	transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		if host, port, err := net.SplitHostPort(address); err == nil &&
			strings.HasSuffix(host, ".localhost") {
			address = net.JoinHostPort("127.0.0.1", port)
		}
		return dialer.DialContext(ctx, network, address)
	}
	return transport
}

func lines(path string) (all []string) {
	file, err := os.Open(path)
	check(err)
	defer file.Close()
	scanner := bufio.NewScanner(file)
	for scanner.Scan() {
		all = append(all, scanner.Text())
	}
	check(scanner.Err())
	return all
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
