"""A publisher and its hub for the tests, with the hub of Flask-WebSub; its tasks run at once.

It prints its port. `/feed` is the topic, `/hub` the hub, and a POST to `/publish` adds an item and
lets the hub push. Requests below `/websub/` go to the unix socket in the first argument, as a
reverse proxy would pass them on.
"""
import http.client
import socket
import sys
import tempfile
import threading

from celery import Celery
from flask import Flask, Response, request
from flask_websub.hub import Hub, SQLite3HubStorage
from werkzeug.serving import make_server

app = Flask(__name__)
celery = Celery('hub', broker='memory://', backend='cache+memory://')
celery.conf.task_always_eager = True


class Storage(SQLite3HubStorage):
    """Reports when a subscription is stored, which is after the subscriber has confirmed it."""
    stored = threading.Event()

    def __setitem__(self, *arguments):
        super().__setitem__(*arguments)
        self.stored.set()


storage = Storage(tempfile.mkdtemp() + '/hub.sqlite3')
hub = Hub(storage, celery, MAX_ATTEMPTS=1)
app.register_blueprint(hub.build_blueprint(url_prefix='/hub'))
titles = ['first']


class UnixConnection(http.client.HTTPConnection):
    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(sys.argv[1])


@app.route('/feed')
def feed():
    items = ''.join('<item><guid>%s</guid><title>%s</title></item>' % (t, t) for t in titles)
    body = '<rss version="2.0"><channel><title>t</title>%s</channel></rss>' % items
    links = '<%shub>; rel="hub", <%sfeed>; rel="self"' % (request.host_url, request.host_url)
    return Response(body, headers={'Link': links, 'Content-Type': 'application/rss+xml'})


@app.route('/publish', methods=['POST'])
def publish():
    Storage.stored.wait(60)
    titles.insert(0, request.get_data(as_text=True))
    hub.send_change_notification.delay(request.host_url + 'feed')
    return 'published\n'


@app.route('/websub/<capability>', methods=['GET', 'POST'])
def forward(capability):
    connection = UnixConnection('fetchrun')
    target = request.full_path.rstrip('?')
    headers = {name: value for name, value in request.headers if name.startswith('X-Hub')}
    headers['Host'] = request.host
    connection.request(request.method, target, request.get_data() or None, headers)
    answer = connection.getresponse()
    return Response(answer.read(), answer.status, content_type=answer.getheader('Content-Type'))


server = make_server('127.0.0.1', 0, app, threaded=True)
print(server.server_port, flush=True)
server.serve_forever()
