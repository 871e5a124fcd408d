/// Letter frequencies of languages in scripts other than Latin. They were counted in the abstracts
/// of Wikipedia or, for a few languages, in translations of programs. `LetterModel` describes the
/// format.
extension LetterModel {
  static let russian = LetterModel(
    .script,
    """
    абвгдежзийклмнопрстуфхцчшщъыьэюяё
    """,
    """
    0aa799eeb8k8c988797abbefcezzzzdgez4vc9dadeaeca796vc888efccdggzzzzd9zc7vsut6xv8us7tb4t5cr8y\
    wxwyac7wzyuz46zvfx6zz7ye9h96hbadczdzzczz9hzzdh97wtvd8yw7vt9fe2u6ssazxyxzzzwxzzvz85ybwg5bx6\
    wead86f99t8zyzygzzcezzeg5ge9b9dcciaa796ee678jhfeeghzzzzzgza7tqs63vt6sqqr6brpcpawuvuwxztuyw\
    sc74w7e89yv7veca77ubdsaywywyzz8wzyez5cebcc9f9989997bdb88jgabaijzzzzd8z1rwtvfrywrveeuaauf6d\
    vzxyxdzzwxzzvz75ycxwady5xhbfe3w8b99zzezzzzyzzzxz96zvgh5hy5xecwd6wuehazzzzzzze5zc7e46euwv5z\
    x6xvfcb79tdu8zyzyzzzagzzcg85zhcb8zi5zdxy85yi99dhzcizzz7ezzci6ja787bcce8a888gc779jfggdghzzz\
    iieze6xuwv6zx8wu9ve3b4feazyzyzzzdfzzwz94fdce6fz6zdfca5ieba8zeizgzzbfzzbh99hcyx8zz9z5aeb79d\
    94bigihfzzfezz9g66h8yi6zz6ydfia6x79hazzzizzzb9zzdz5cae98baafw98a8r8779vzcz9dbzwxz9vza7sprq\
    5us4rppqo5q6oo9btutvwzstyvrz27vrtscxu9usrsa5tbcrbxvxvxzzuvzxtz96uqsr4vt2s9qrpbspppawuvuwxz\
    auzwsz85vrts3wu6ucds6ptqqatxvxvxzzuvzxtc95sprq4us4r99q99qoo6rvtutvwzstxvrzk5roqp2tr3qoopml\
    pnnnqustsuvzrswuqydekgji0mkejhhhfeigggjnlmlnovjkpniq4qw9ve7ywq5998cqccabuz5ydczzvwzzuz3pbr\
    ud9xapuas94ptr8atywxw9zzuvz89zikqmonkspkp55n6ko8l2osqsqsuzpqvsow3nbpaanuanspaq9nrab6rvtv9v\
    4zstyvrz1rbavcafarwudb9rvde8vzdzxzbzwxzcvz7kpmonkrpkom773kn5l6osqrqstzpqvsow
    """)

  static let ukrainian = LetterModel(
    .script,
    """
    абвгґдеєжзиіїйклмнопрстуфхцчшщьюя
    """,
    """
    0ab7bk8cef8w9ig9b98978899aeedeezic4tc8dzaudfcutccb795td788ffcadfzxfx57tpszq6vvsa6utd7qb5r8\
    do6vtttwyrus56wtwzd7yfv65xwebu87geadbyxhezzvyga6uqtzr9wvtc5uuqard2r7qp9vutuxzsvt67dacqa9ff\
    c98edaab78b999afedegjcec86gdvzt5y8g86wwdbe85ebcraxwvwzzuxd8ffb9z7tzdbtsec88a4da5a8ugfcehzw\
    yh4lr7qz9mtspmlrrbo9aloan6osrqrtwp3p66rnqzo3ttq6asrnoo69pnnn9trrruwpsq64c9ezcawwt9avudra79\
    cdqcawuuuxz7vt5rfaezctggctsg77c98r9b78uh7c9gevyi5db8fz7uafbut99aac88bc99vjhb9ezwga1msarzpo\
    uuroncsppq6mqooopucssvxqtr1ncpszdovusonttddc77qo7oqutstwyrus86wcvztcyyv57xwtahf3u8c98yxewz\
    zvxvb6wsvzt6yyv75xweetq7ursraywwwzz5b856esuzs5xxu75wvgegc7arer6xwvwyzuwu95zvfzcazzx66zzdww\
    86wu99ciz9jgzah86ta77z9hidbutaha976jb77bwfeeegixajd5vruzs5xxu96wvsatc5t5feaxvvvyztwu85gecz\
    c6zew78yxdgca5fhb99zdixezvgdaaxcwzu7zyva8xxb8fa9aff3aygfxhz6g975xawzu7zzw59yxdgvb7v8fe7zyx\
    xzz8gd3bc9czarce8rqww89c8qb9b8txevdgzuevb9rnqzo7ttqn6sroopl7p2nbatrrruwpsq18sprzpouurc7tsp\
    pq96qcpobutstvyrurmntpszq6vvs62utqqrnnrppb6vtttwy7da75tpszq6vur7attbcq39qopobutsdvyrur85qm\
    pzn5ssp59rq8an96omm8asqqqtvorph7oknzl5qqn79pollmi2mkkklqooortmpn4pfeuzrqdwtqpvu3rc59cq7csw\
    vuvcztwt1ms9rzanbtqnmssoppmmpao6ptsr9uxqcq1ouddzbpdwcqpvu7ea9oseq9rwcucxzsvt
    """)

  static let bulgarian = LetterModel(
    .script,
    """
    абвгдежзийклмнопрстуфхцчшщъьюя
    """,
    """
    0aa8a98fb8j9d9787a7adcdfdggyzfh3re9eaghbibb9b6sd8a6gghdehdxzzic7roqp6tq6to6pc5p6bm8uutsv86\
    zxd45urgg5wt6wecta6sabdfxywvhx9zzd55sprq8ur7up8qd5q5oncvvttwvczyr66tbsr5as5vggd86g9ap9wxvu\
    xwazzf4hfad8hcajca8a5ed798whgeeffwzzi96pmo54ro4qamn79nklkbrsqqtrozvo74e7e9aur6tbbb9a8bdacv\
    ettwudzyr4dhbdcah9fc99a7bfb97xggcaggwzz73jpaoakrojrabc68nl47pstrqtspzvp74udtsawt5wrage5s8b\
    9bxxfvyxbzzu76dh9f6ge4wcrd86sqcdbxxwvyxdzba74dbsq5vs5uqqrb79oao9vwuuxvczyd63wtcb8yj5yetuc6\
    uj9agizdizzizzd4h97b8dddcba8a8jb796hehgdhdwzzdc6tqsr7vs8vq8ro4r4cdawwuuxw9zzs84fccd5eh5xdf\
    ca6irabayffwgyazze78vbut6xu8x5aebabci4eyygwzy8gzg55e9vj5yv7xegub5u8eecyzxxzybzze7a8aaadcad\
    t9888m8779rudd89urzxr97olnm6qn3qlbnj5m6ak7rsqpsrozuo74oknl7qn6pllm84m7kj8qrppsqnztn86pmpn5\
    sp2r9mokknlllpstrqtsczvp95qapo3sp6saco5aodmlcttsrutqzwq75n9ml5pm4p7kl5hlijinqqoorqnztm53ol\
    nm5ro6qllnb7mkk8orsqpsrozuoklc98bbc9mta5a8ec487ruvcdvarzxrbcjfigdlidkgghd0hefeilmkknlivoi8\
    fmi8jg68gnj7k7gk8i8lop46qolyrl2lr8edmurmtbcb9mqdc5ruettverzxr
    """)

  static let macedonian = LetterModel(
    .script,
    """
    абвгдѓежзѕијклљмнњопрстќуфхцчџш
    """,
    """
    0aa899z9faz8c8cz96z87a7aldceefjd2deafahfhbzhba9zb7ded9b6jhhiddzfc6olnlu6roz4dl7znct5m6kjw8\
    rtppzqa4rogox6urz6qedzq9w3p8cdzbuwtszt96plomu8soz6nl7zndu4n4lkx9stqqzr47ebgox5uqz6pngze7w6\
    p8dmzbuvssztb2jfigo7mizdhfgzheodhffer4mnkkul4feac7fhfdzhd98z96eed797gsghfezdd4lhkiq4okz4jh\
    izj6pfjhhgt7opmmwn9399b9u8soz5nlbzb6tanclkwbstqqzq67e3dbk9hez8dbbzc9j8caa9mdhiffpg4jhbdczc\
    haze798za7i9ea87zjgibaze52pedevatdzdoenzeauaelald8surezr84rcrpx9vrz5qobzqew4q9caz9vwetzt65\
    coehw5gqz4gdoze9w6pnbcz8uvsszt56dacaj8gdz7caazb8i7b998lcgheepf84ccpnv4tpz6cmnzoau6aeblyatu\
    rrzs73jqccz8wiz5seizroy6rp8azdixcjzvc5jgjhp1njzeighzifoeifgfrinollvm4fb8b6edeczc9b9zb8zhb8\
    96zjfjfdzfc6qnpnw7tpz8dmazofv3o4adyaturrzb84ecccy5cdz5rcgzbbx6goacz9veefzeaasbrpx5vrz9q59z\
    dax7aco4zcvwitzu55tbsqy5wsz6rehzrcy5g8bhzbwhuuzv94hegen3khz4geezfcmbfddcpgkliitj7b948aefbb\
    zjo98z99uj978bxosuc9zb96likir6olz4kiizjgq5j69gt8opmmxn85khjhq5njz6ighzifp4i5gfsjnollvm96nj\
    mks5qmz2ljkzlcshl8jivbqrooyp97nkmkt4qmz6l4czl5saljjiv8qrooyp63ebdbk9hez8dbbzc9j8caa9mdhiff\
    qg87mjljs7plz7k7jzk7rgbii3uapqnnxo
    """)

  static let belarusian = LetterModel(
    .script,
    """
    абвгдеёжзійклмнопрстуўфхцчшыьэюя
    """,
    """
    08a8b9hii8bj7c98j6a8bbcbeddcqzdlc5ib9a7bhjaia9897mb88ak9id9bfxzjgb75jgmo8pni7vn6cb7j7fb6uw\
    hpuiandmai3wupr7nzv6yppup8ulptcwzypoy4pdma83jcngajxn9li8fb8l7fh6tnldanks8nn84hamhmza7oy88d\
    8bfacf9wmigfj7q8zp3ficeaknefibaa96je5a9ofjjaheqvqqe7hg6famuhgldcf83mg9aem7rihpqlnhsm74dbkg\
    kwhjksaik69iheoartkirh4p6up74g7ed7kyu8xcb96bo9gocvyxtpje8hkc3lfbd8ghdbfg7aa7kga9bnhhe7bdts\
    qi93hdg9bkxvghua5c7jjd7aksjiahdlqrwk73lfjndzzl6ym9nb7m89a8xoifjilphkq95klhh6cmn5ycmkkamphi\
    9wlmmnyb5da664cfki5kpn7xccoc8bkekavmpmnn9tbn894lgca6glh7zdlm8apob9byiieie79fe88ha8a7epaehb\
    86b8ub79bp6fihcdsulnhb3qtwt7zzu9xc8ufam4df8wqjlmhducpe73gefepzjmozdhdb8imcb9xgdhlg4p7zw77n\
    eop9gzv8y6bjbc8ik49wie8noc9dic74kamopzzvoq9dia7l6hm9wlimjn6r8zu4b9cb9dzcagg99b9i9989uidca8\
    csuebl3gh6g8kzcckna9k5nde89summfhfqskxsb3rkho7wuq4tkdpi8p8k9arukpltik9vm34kdsicmvn9tkhf95p\
    bfe7suunllhlflqd7mmmo9eyj6xdougdprtkevyx7px72bfbc3ecnmqyhslvaql6bojlmdtwnhup5r5xr76sclpmxv\
    qptb8dbdj9f69smkf6h4q8vq4jaafddikadf9989qba7bkcda8cduswg72ofcggfiyklpaga5tfreatvfl8mdsuqhd\
    99cec9gzbci977a4mh787lfbhfhdptukh3gbghcfvkejjdhfboib6boqkm64gnoigl2jibaaczedoh8ac9nd9ecuai\
    bbebsulhe
    """)

  static let serbian = LetterModel(
    .script,
    """
    абвгдђежзијклљмнњопрстћуфхцчџш
    """,
    """
    0b9ab8ndh98c8bn98k86a7af9cffdkd3qc8eahneai999ha88ecab9ieihdbnfb6tjulz6xl6dq7esdn4k5jox9xpm\
    nzwa4rtkiq5pp5jbf9u8m6p8hszaszinzm56ebtdyawl8il7pbci6k5idp6kynuzv74gcimo6yk6jheeh7c7k7dnz9\
    izxppjh4olomt5rm4hlmrmkpclklkr4rsppyi3gead9ctdcge89ga7cdc8b8cigkfetbc4jordw4mp3gljmo9ihomn\
    nu8uvskzs8388dczbyt7koby89w8sfsry8yzmvpx4jf9fbnnj8r87ai97jeea88fnid9amc54gdjhz3yl8thcyddhc\
    iecdy7pzlnll84ocnpz7zv8kracmdx4n99bz7pzgxzg85hihgz6ml3uhqzhax6jrfbzafmknznd4qnqov3tp6odoto\
    9kfnmfmt5tvejzd54cnmlz4pn9lhiiodm59dfkpakplmzm84ljbbz6rg5rdlmlqy5jmb9z9jjeikje4sqtqy2vr8rp\
    qwqothqohpw7wxttmu6ia797hkdah79ae99jkb679ghgkgeoec7ptwjzazu8knahmfx3t3eez7zndhzg84icfdk4ce\
    5ifilebh7jtcblahhielf96oaomz7zv8g76zcaxc9ek4zaizcqzq74paslz5zs6iacgkby7g8eozakhmyzr95qnqov\
    2tp5pjoko9rdnmknt8uvrrzs3daaabpgdcha9aj99hg99a8amlje9nc95pnjov6to4gncklkr4k7cdt9tkrizs36o9\
    pju8sn9gmgshfq5j9c9s9stqhzra5lisny4vr3kkkvkltdl7hpv8kojtzu86sgtmy4vr4d7kom7uhqknpm7wxiozu8\
    3dhkcp6mi4ighnhfk7cfggm8nokkua94rflpx7lq5q7fnidbdgij5acjwjgzt
    """)

  static let greek = LetterModel(
    .script,
    """
    αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ
    """,
    """
    07baa8hbdc7d8bk97f7v5edclfebckdkzzzzz4qfadhgtc5a9b6fi88988ccgzwvwvcviygzizb5qoo7tcq7l9mku6\
    m4lljmqpzp7aoaaqrzzzzk7t9r6vcs57ab9w7o7oomdtdzaabb9aedzzzzj7tqq6v7s4npomw6o7oomasszcdc89bb\
    bzzzz6hgcdqird7a8c8ce96b97affzdiuu6gcizzzze7oll3q9n7ikjhr5jijjhjnnx8lll87nowzyz3ovctpyqdp9\
    b75yora949rvgzttttrsuwzzzzi9rop4u5qamaa8u6n9mmk9rqzbb89ndqbzzzz47ffbchifq5bc9z7fc8absgezeb\
    fitcwdzzzzd4vtg7ybvafbrpz7h9qr9cvuzd8b7c6dczzzzb7ggs6x6u6e6doy5gpppfbetzc9ab9bbczzzzd5bst5\
    xau7qrbey68pqqocduze97cb9uezzzz35whc9z9e8rsscz7srfs7fwvzbcdbaawdzzzz86nkl4q5m6ijjhq7jiiigj\
    nmwl8lljk7ovzyz5ifbcfztg9c998iqa9b8c4eezwvivbu8yzzzze6vst7xcu8qaqgy3g6qqbgvuzcbcdb6uvzzzzc\
    6g9f8yag6chbdf5rffrccfaz99cd7aebzzzzm9vtt7y7g89r8pzacqbq38cczdfgeaebfzzzz0ovttpyqupqrrpzor\
    qqqorvuzttttssuwzzzze5xvv8f5x7shhrz4t9eshfxwzaacbcbhezzzz2ceadpgqboca98yo98888qfeftetsrsuv\
    zzzzc6qoo8tab7lmmku5m8lmj9qpz8a78a9crzzzzc6rpp5u9b8mnn9v6n6mmcnrqz9cb89dq9zzzz9bjgg3l2icef\
    edmbedeecejishghgffijrzuz9ldaemvndmno83vla7767osrzqqqqoprtzzzz4lea8naobda7a6eeb88a8oadzrqr\
    rpqstzzzzdasabmvodda7b4cdc6868od8zcqqqppstzzzz3ltqqnvo9mbd7awlo9a56osszrqrqppstzzzz84ge9ca\
    pfoacc5x6dc8e9quczasssqrtvzzzz3mubdfwptnd887xm98967pfdzsrrrqqtuzzzz4krbdcumalb987v998788nc\
    czppppooqszzzz9jqncktcaklm92tja7897mqpzoooomnpryzzz9biggcldic1eecmbedddbeihrggggffhjrztz57\
    fcd9hae8aba9i8a9aa8afeodcddbcefnzqz57fcd9hae8aba9i8a9aa8afeodcddbcefnzqz57fcd9hae8aba9i8a9\
    aa8afeodcddbcefnzqz
    """)

  static let hebrew = LetterModel(
    .script,
    """
    \u{5D0}\u{5D1}\u{5D2}\u{5D3}\u{5D4}\u{5D5}\u{5D6}\u{5D7}\u{5D8}\u{5D9}\u{5DA}\u{5DB}\
    \u{5DC}\u{5DD}\u{5DE}\u{5DF}\u{5E0}\u{5E1}\u{5E2}\u{5E3}\u{5E4}\u{5E5}\u{5E6}\u{5E7}\
    \u{5E8}\u{5E9}\u{5EA}
    """,
    """
    086cd59dcfaza8x7zbbazbzebc7c5rbebb5c9d6fh7eae8cthbzfd89978ddba7gcd5zcat8eab9zczcc6995b9r8b\
    5dqr6wr69cc9qezqzsq7dc4ddee85uss4xsbbbeeeazfzee6ca39bcdd7fbf7zccd7fbbbzbzdbaaa789babaccdaf\
    c8b998aafahbb7b66blpo65rop5u8cb8qcoaxoxqc6mm7o8r8a5brr6xr7f9scaqzqze87995abrqa5tcr4we8qbda\
    eczqzsd6ob5abea88edb8gda6bb9bdjdida9a70jimlhgolmgrmiljnkllulunlijjaa9ea95bcr6df6fab8bqzczs\
    q9b749bdb87hbc5fbbdagcddzczfadca0posrnmursmxsorotqrrzrztropoe8ad996dab6zbatac9aazbzaa8790n\
    nqpllsqqkvqmpnroppypyrpmnnmbd8a75eba4yddgcggadzczdbcb85dcc9c6ue75xdaebscded7zt99pb6p9s9a6d\
    re6xs5aatberzrzad7a90hhljgfmkkfqkhkhlikjsksljhihdbdee95ub95xs9rocaa9zrzfa4b80hhkjfemjkepkg\
    jhlijjsjsljghh978dc85sbe5vqap8rop9y9yrp6na6a9sa85ur96xs9ecdabezezbr6ba489bb96gcb5dadgbgcbf\
    zcdccgc98b9ef97vbd6gc5b8u7tczazue7fa1cdgtb8wbu8zfefdectfzczvbaff
    """)

  static let arabic = LetterModel(
    .script,
    """
    \u{621}\u{622}\u{623}\u{624}\u{625}\u{626}\u{627}\u{628}\u{629}\u{62A}\u{62B}\u{62C}\
    \u{62D}\u{62E}\u{62F}\u{630}\u{631}\u{632}\u{633}\u{634}\u{635}\u{636}\u{637}\u{638}\
    \u{639}\u{63A}\u{641}\u{642}\u{643}\u{644}\u{645}\u{646}\u{647}\u{648}\u{649}\u{64A}
    """,
    """
    0zh9zbz48x9gcbfdhdhbdfgfl9f8cba7cb7za0svmxprgkkkqnmplrjplooqotlqlmmhjjmjpiboritlncgggmji4h\
    nflhklmkphmhii3f4iflecyzszvxm8qdcc8abx8v7cbwdyacbb9987b5v99mpgrjlaeeekhgjeldj1iikimekfggbc\
    dfdjbivypzsujbnntq7babbs6rscrwbtpbp495pms7atwnyqs9l8lronq9s59mpprptmrmnn69kakq37czyzzbsbh9\
    gedgbj9fbfefezcicde298eezc5zzezgz5eacyfbxaz7xdegycz8gucd8c8b9x60zzuzxzosssyvuxtzrxtwwywzty\
    tuuprrurxq4zzdzxz89scyc9bdz8fbbbfez9fc9cb9b98e74vxpzrt5m9msqpsnt7rnqrsrvnsoao57ao9r77xzrzu\
    w6a9bvsru8w98ctuvtycvqrr76798u77yzszvx6c98fdsv6x7daucfuyrwcba98er8v67vypzsu6an7tqps7u6sor8\
    t8wotopp5amp9s83zzfzwz7e8efvufcy8xdwwywzfxdfgd8ac8b55uxozqt4mmmspormsarnqqsqumrno96kl5ar55\
    zzgzyd687bzbehbzsfbgxdhzdfcb9fdbc8d54bypzsu6a9ntqqsou9sorstrwctpppa9bb8s46zztzwy68b7xetwfy\
    awcvwx9zbxdta879d8w58wzdztv69o9urqadv4tpstusx9ccc9l7n8at68wzqztv68aour9t9v6tpscubwob9qq799\
    p7t74uxozrt5mamspornt9rnqqsqvasnoo95lo8r66wzqztv589ourdtpv7tcstusx8uc7q8n9q7t78svmxpr5k4kq\
    nmpkr7plooqoslqlmmh5j7jp66zzuzwz688agvux7y8efdecgfsxtet688cbx96uxpzrt5m8mspprat4baqrsqvnso\
    oo8l9o8r57zztzwy8f9axutwry8fcvedvadxsceaebcbg26yztzvx698bwttv6x7vbfbebz8wfss9ccd9f77yzfzvx\
    5988bttvrf7abuvwuzrwfss789d7v77zh9zbz8ab9ebadaecfabdidk9cbaaa6bba985zzweyz6caadbae9i9gaech\
    gz9fgcd9c6c9g83zzvzyz7d99zcfyaehfadezbcgfdeeies99g64zztzwy4eefxetwb99fsvvxvzrxsttc9bs6w66z\
    zdzgz69hahbdgag8d9fedeibfabb788agg80vyqzsuknnntqqsounsorstrwotpppkmnpmsl4zzxzzi8c6beefeaz9\
    dbfhfezcidbcaa7caze
    """)

  static let persian = LetterModel(
    .script,
    """
    \u{621}\u{622}\u{623}\u{626}\u{627}\u{628}\u{67E}\u{62A}\u{62B}\u{62C}\u{686}\u{62D}\
    \u{62E}\u{62F}\u{630}\u{631}\u{632}\u{698}\u{633}\u{634}\u{635}\u{636}\u{637}\u{638}\
    \u{639}\u{63A}\u{641}\u{642}\u{6A9}\u{6AF}\u{644}\u{645}\u{646}\u{647}\u{648}\u{64A}
    """,
    """
    0zazz68bazceed7mbeh87fmdzdhcd8cg7a98b5zfzl6afaoehgf9k8ckaaglgmejceaec99998hzrzyj8smcqutrl8\
    abxbnsxszqbcqnr962c8a5zfzl6afaoehgf9k8ckaaglgmejceaec99998bzlzsdhmgvkonlfrejrghmrmtkqjkhli\
    g6f527zzzhrbgcjgzfeaz58j6cfjfkeiedei996ac68zwzz5rwdzvyxacz5czcfxzgzczt8evcqb5879zrzx4mr8zq\
    usrbw6ow8msxsyqwpqmqam6b853zwzz58xrzgzdegz8uzhdczxzehddffdbb8994zkzr3gkftjnlkeq3hqfflqlrjp\
    ijgjhfeeed8zszz3dsdzrvtsay8aycotytzrxqrosb6788a7zozv6kpjyorqojuhmujkqupwntmo8olj62877zqzx6\
    bq9zptrq7w7aw8lawrxpvoaap86kk978zrzy5ns5zqutrbx9pxb59xbzqwpqnr9mlb584zxzz7gxhzwzyhgz4uzcfy\
    zyzwzhigeed9598czmzt4imhvlpnmgs2jsh5nsntlrkliljhggh73zhzz6bjczfjif9zjezadghzzjzad7cibc8872\
    zuzz5aupztxvu9zarzpcvzvztzrtper99ac6czmzt3imhvlpnmgsfjshhnsntlrkliljhg5468zwzz6ec2zvzyhgza\
    uzrsyzczgzfvewccccb47zwzz9ew8zvzxf4zatzrcdzxzgz5vbdt6b88a8zqzx7mq9zptrq3w8nwllrwrxpv8pmp7l\
    ak68bzlzs3hmgvkomlfr6jrghmrmtkqjkhligff445zqzx83rlzptrqkw7owlmrwrypvo9mq7lka894zkzr4glfukn\
    mkfq3iqfgmqlsjpikgkhfeefd5zszz7atazrvts9y4qynotctzrxqros7888n76zmzt4inhwmpomhs3kshiosoulrk\
    mimjhggh52ztzz8pu6ztwvuez6ezepvfvzcyreptcodba84zszz6bsbzrvts9y7qycctybz7xqror99m9964zvzz7f\
    w9zvyxwgz9bzc5xzxzvztvrvbb95a76zszy5osnzrvtsm94bycdtytzrxaror9ncc763zuzz5bvbztxeuczefzbqwz\
    fzezcdcfd9b9856zwzz5bfazdgbeaz8fzcdgzhz8hieewbraa953zxzz8fybz9zzh7zeezccfzgeizfegaudd8872z\
    xzz5hyhzfzzxez8azcchzyzwzcwtxeachcc3zxze7bfczdgix7z7ai9chigzdzefeh9a9ch83zyzz6fjbzehjfbz9c\
    jachzzzgzgf9eac6bcb
    """)

  static let thai = LetterModel(
    .flat,
    """
    \u{E01}\u{E02}\u{E03}\u{E04}\u{E05}\u{E06}\u{E07}\u{E08}\u{E09}\u{E0A}\u{E0B}\u{E0C}\
    \u{E0D}\u{E0E}\u{E0F}\u{E10}\u{E11}\u{E12}\u{E13}\u{E14}\u{E15}\u{E16}\u{E17}\u{E18}\
    \u{E19}\u{E1A}\u{E1B}\u{E1C}\u{E1D}\u{E1E}\u{E1F}\u{E20}\u{E21}\u{E22}\u{E23}\u{E24}\
    \u{E25}\u{E26}\u{E27}\u{E28}\u{E29}\u{E2A}\u{E2B}\u{E2C}\u{E2D}\u{E2E}\u{E2F}\u{E30}\
    \u{E31}\u{E32}\u{E33}\u{E34}\u{E35}\u{E36}\u{E37}\u{E38}\u{E39}\u{E3A}\u{E40}\u{E41}\
    \u{E42}\u{E43}\u{E44}\u{E45}\u{E46}\u{E47}\u{E48}\u{E49}\u{E4A}\u{E4B}\u{E4C}\u{E4D}
    """,
    """
    6aducupadldguhnmjnngbbgbg8cbhldigab9kbubegbco9kqca8fbafddeu9cedfuldabnpdu
    """)
}
