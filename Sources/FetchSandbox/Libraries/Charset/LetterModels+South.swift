/// Letter frequencies of southern and Celtic languages in windows-1252. They were counted in the
/// abstracts of Wikipedia or, for a few languages, in translations of programs. `LetterModel`
/// describes the format.
extension LetterModel {
  static let french = LetterModel(
    .latin,
    """
    àâæçèéêëîïôœùûüÿ
    """,
    """
    08b857accbdg69bb8da8b9cgkikbzzzzblzlzzzzzzz6xcacfgbh7ih7a5hbh6a78bzjehzzzzzzzzijzzzzzza5xu\
    t6xwx7zz6ur6vz5ds8xzzczzzzzzbzzzzzzzzzz96zdw5zz67zcayv4yg9g7azzzfzzzzzgbzzzzzzzzzz67zyx2zz\
    z7zzwgv9zzcfw7zzzzzzzzzz8zzzzzzzzzz2ejchjhhzezzaa6jez858agjfhjzzzzzzzzzzzzzzzz86xut78wx5zz\
    aur5vz4ss9xzzzzzzzzz9zzzzzzzzzz96yvu5yxb5zz9v78vz6st7yzzzzzzzzz9zzzzzzzzzz84xut4xxx5zzdub6\
    vzbsb9xzzbzzzzzd8zzzzzzzzzz8be9c7cbzhzi7c67d9966hbzgzizzzzcezzzzzzzzzzl4uqq4utuoxypro3rvoo\
    o4uzxwzwzzzyrzzzzzzzzzz34spo5srs5wwnpm7qunnnnszwvzvzzywqzzzzzzzzzz55fzg3ifz7zz7fw8gzxedaiz\
    zfzzzzzgczzzzzzzzzz858xw4zzz6zzv7u78zvff8zzzgzzzzzf9fzzzzzzzzz48z996fbz9ziyz99zig75dfzzhjz\
    zzczazzzzzzzzzzahcacidbh9zh974eai6aa6cgiezzzzzzzzzzzzzihzzd4zxw6zz99zz8xu59z5da9zzzzzzzzzd\
    azzzzzzzzzznqwtsowvwqzzrtqrtxrqq0wzzzzyzzzztzzzzzzzzzz66ecb5hcz6zgebb7gib98cfzzfzzzzze8izz\
    zizzzzz39zcz7zzf8zhhgi8cgx95azzzfzzzzzzbzzzzzzzzzz37hhy6zza6zzizx9zz7bc9zzzgzzzzzg9zzzzzzz\
    zzz6cccc6iez8hzab5xcz688xbzazzzzzzzbzzzzzzzzzzb5xut3xwx4zzsur7vz8ssdxzzzzzzzzzbzzzzzzzzzz5\
    3ron5rqr4vvmolmosmllmrxuuyuzzxvozzzzzzzzzz1atqp7ttt6xyprop8voo8ptzxwzwzzzxrzzzzzzzzzz37v9r\
    8vuvpyz98989w86aqvzyxzxzzzzszzzzzzzzzz35qnm5qqq5uvlol5oslllmqxutytzzwuozzzzzzzzzz0purqnuuu\
    pyzqspqswpppquzyxzxzzzyszzzzzzzzzzdglihelllgpqhjghjngg0hlspotozzrpjvzwyzzzyzz58eaa6ede8hi9\
    b89bf8889ekhglgzzjhbnzoqrzrqzzj0sonkrrrmvwnpm7ptmmmnsyvuzuzzxvpzzzzzzzzzzlou6qmt9toxyp68pr\
    v357pazxwzwzzzxrzzzzzzzzzz4bd896d8zuzzabac9e787vazzzzzzzzzezzzzzzzzzzgjolkhooojstj3jkmqjj1\
    kovsrwrzzusmyzzzzzzzzz58eaa6ede8hi9b89bf8889ekhglgzzjhbnzoqrzrqzzdflihelklgpp0ifgjngggglsp\
    osozzrpjvzvyyzyyzz58eaa6ede8hi9b89bf8889ekhglgzzjhbnzoqrzrqzzdgmjiemlmgpqhjghjngg0hmspotoz\
    zrqjvzwyzzzyzzcfkhgdkkkfopgifgimfff0kronsnzzqoiuzvxyzyxzz0fkhgdkkkfopfifgimfffgkronsnzzqoi\
    uzvxyzyxzzdflihelklgppgifgjngg0glsposozzrpjvzvyyzyxzz58eaa6ede8hi9b89bf8889ekhglgzzjhbnzoq\
    rzrqzz58eaa6ede8hi9b89bf8889ekhglgzzjhbnzoqrzrqzz
    """)

  static let italian = LetterModel(
    .latin,
    """
    àèéìíòóùú
    """,
    """
    07c759abe8hg9a9b8ea7a9chkkjzazzzzzzz3xcccgfbjdzi6a6ycz7a6ddzzhbzzzzzzzzzb57tt6xvx4zz8ur7uz\
    6sr7wzzzxzyzzzzzzzd5z9x7zz66zeayv4yhawfazzzzzzzzzzzzzz86zxg3zzz3zzvyv8yzcgvbzzzzzzzzzzzzzz\
    3cgbbhhazczz5b7egk689gejjigzzzzzzzzza6xtt68vx4zzcur6uz5sr7wzzzxzyzzzzzzza7yuu7y8b4zz6w87wz\
    7ut8yzzzzzzzzzzzzz85wss2wux5zzrtd8tzcsbbwzzzxzyzzzzzzz47f8caeczizj8a67czc97ebzzzczzzzzzzgz\
    f1okjhomohwsili3ltjjiknvxtotpzzzzzwz35rnn5rqs6zwm6m8pxmnmoryzxsxtzzzzzzz45efg6ihz6zz5dw8hz\
    xhbbhzzizzzzzzzzzz94avv4zyz6zzuau68zuvu7zzzzzzzzzzzzzz56z985fbz7zixzb7zixb5ehzziczzzzzzzzz\
    3ifbchebjdzj885gbz79bebhzjjzzzzzzzzzd5zvv5zyf6zzcxt58z5gu9zzzzzzzzzzzzzzjlsoolsqslzwmpmmpx\
    nom0szzysxtzzzzzzz85ebb5hcz5zhebb6gzbb8bfzzgfzzzzzzzzz88z8x6gzd5zggfv79zw758fzzzzzzzzzzzzz\
    a5zyy5zzc5zzizw5zz7h79zzzhzbzzzzzzzza7abb9fdz9zz993aaz788xzzzzdzzzzzzzzzd4xtt3xvx3zzrur6uz\
    struczzzxzyzzzzzzz53qmm6qoq4yuknkknvllkmpxzvqvrzzzzzyz0gnjjgnlogwrikhhksijiknuxtotpzzzzzwz\
    07rnnkrprkzvlollowmmlnqyzwrwszzzzzzzb4wss9wux2zzqtq7tzrsrtwzzz5zyzzzzzzz0krnnlrqslzwmpmlpx\
    mnmoryzxsxtzzzzzzz0ovrrovtwozzqsppszqrqsvzzzwzxzzzzzzz0elhhelkmeuqgiffjqghgilsvrmrnzzzzzuz\
    0elhheljletpfiffiqghfilsvqlqmzzzzzuz57eaa7ece7mi8b88bj998adlnjejfzzzzzmz0hokkhomohwsiliilt\
    jkilovytotpzzzzzxz57eaa7ece7mi8b88bj998adlnjejfzzzzzmz0hokkhonphxtjliimtjkjlovyupuqzzzzzxz\
    57eaa7ece7mi8b88bj998adlnjejfzzzzzmz
    """)

  static let spanish = LetterModel(
    .latin,
    """
    áéíñóúüç
    """,
    """
    08b756accbdg79cb8cb8a9chjaihlzzzlzz3xc97fhdjefj797kdj78adfzzegzzidzzzzb5xut7yxz5zz6vs7wz4e\
    u8zzzzzzzzzzzzzd5zcx7zz94zeczw4zzaw98zzzzzhfgzhzzz96zyx2zzz7zzxix6zzdxybzzzzzzhfzzzzz3cfac\
    igbzggz7b5edi75cgezehfzzzhjzzzb6wts6xwy5zzaur6vz5st4yzzyzzzczyzzza5xut6yxd6zz8vb6wz6tu6zzz\
    zzzbczeezz83wsr5wwx5zzrur5uzcrc8xzzxzzzzzxzzzb7d688dazghi9a67czb78ebzzzczezz8zzzm4uqp5uuvp\
    xzpsp4sxppq3vzzvxyyxzvzzz35rnn5srt5uxn5mmpvmmnoszxsvvvuxtzzz44fgf7hfz7zz9dx6hzxgcbgzzizgfd\
    zfzzza47wv5zzz6zzvgu68zvvw7zzzzzacgzfezz36z888fbz8ijyjg7ziya5egzzifjihzijzz3gbacgedigiz986\
    hcz66cdciigizzzzzzzze4zwv5zze8zz9xu4xz5fc8zzzzzzzzzfezzmouqqnvuwpyzqsppsyqqq0vzzvyyyyzwzzz\
    65fbb5hbz6zhfac6ggac8bfzzhgficzfzzz28zbf7zzg7zifex9azxf69zzzzzzihzjzzza5gxx4zzc6zzgzw5zz6g\
    f8zzzzzcfezbzzza8aaa5zcz9gz9b4gcz89axfzhdgzggzzzzzc4wss4xwy3zzsur6uzrrstxzzxzzzzzyzzz52olk\
    ipoq4sukmjjmskkllqxupsttsuqxzz3lronksrt3vxnpmm6vnn5oszxsvvwvxtzzz09wss9xwyrzzsur8uzssstxzz\
    xzzzzzyzzz42tqpnutvaxzpro5sxppq9vzzvxyyxz9zzz6nt8pn9tvoxz7r4orx747quzzuxyyxzvzzz7nt8pmutvo\
    xz8r4orx548quz8uxxxxzvzzz83u8anauwpxzq968syp67rvzzvyyyxzwzzzk2sooltstnvynqn2qvnnoptzytwwwv\
    xtzzz6pwscpwbxrzzab1ruzarstxzzxzzzzzxzzz6k5mmjrqsluw7o3loul56nrzwruuuuwsyzz57d996edf8hj9b8\
    8bh889aemjehhhhjflzz57d996edf8hj9b88bh889aemjehhhhjflzz
    """)

  static let portuguese = LetterModel(
    .latin,
    """
    áâãàçéêíóôõúü
    """,
    """
    07b757acccddb9998da8b9dhklkezzhzazzzzzlz3wbc7ghdjbkj797fdj87adezzihzzzzczzizzzzz75wts6xwx5\
    zzats7uz4ds8xzzzzzzyzzazzzzzzzc5zwv6zz95zebwv3yzavcazzzzzzzzzgzhczzzzzc5zyw2zzz8zzydx4zzdi\
    xczzzzzizzzziizzzzzz3bfbcigazaiz986fdh76bdekdigzzzzjzzzzzzzzb6wsr6wvw5zzasr4uz5rs8wzzzzzzy\
    zzxzdzzzzz96xes6xwd5zzbta6vz6st5xzzzzzzzzzeczzzzzz92wsr5wvw7zztsr5uzrrdawzzzzzzyzzxzzzzzzz\
    96e77bebzhzi9a68cz977gazfzbizbzezzzzzzzzk3spn6tstnwwpoo3qwono4tzxzwwzuzvtzwyzzzz67spo8tst7\
    wwq2o9qwoooptzxzwwzuzvtzwyzzzz55egd6ge95zzabv6gzufbadzzgzezzzzfgcezzzz44axv6zzz8zzxhw89zvv\
    w8zzzzzgzgzzezdzzzhz95z879faa7hiyxf6zzw85efzzhigzgzdhzhzzzzz2gebcgfdkbjza78hcz66dachjzjzzz\
    zzzzzzzzzzd5yvu5zye8zzavu4wz5feazzzzzzzzzzbzzfzzfzlmtqonutuoxxqppnrxoop0uzyzxxzvzwuzwzzzzz\
    75ecc5icz6zhfbc6gfbc8cfzzhzfzhzghhddzzzz38hbi7zzf7zhhex9biw959zzzzzizczzfzizzzzza5zxv4zzc6\
    zzgww6yz6gf8zzzizdfgzzehfdzzzz88bdc7zcz9hz846ucz899whzhzezzzzgzfezzzzzd4wsr4wvw4zztsr6uzbr\
    sswzzzzdzyzzxz9zzzzz52olkipop3tsmlkjmskkllpwuvsszrysqwsuzyyz66r5n7srs4vvpon78vnn7oszwyvvzt\
    zusyvxzzzz17qnljqpqluunmlkot67mnqxvxuuzsztrxtvzzzz52spo5tst7xwqpo8qwoopptzyzwwzvzwtzwyzzzz\
    6mt9amtstoxw7ponrw288p9z9zxwzvzwuzwyzzzzgiolkipopjssl51imskkklpwtvsszqxrpvsuzyyzbourqovuvp\
    zysrq0syqqrrvzzzyyzxzyvzyzzzzz0gnkihomnirrkjihlriijknusurrypwqouqszxxzl5tqpnutuoxxrqp7rxpp\
    pquzyzxxz1zwuzxzz7zz1pv8cpwvwqzzc8cptz8cbswzzzzzzyzzwzzzzzzzijqnljqpqluun72kotl3mnqxvxuuzs\
    ztrxtvzzzzlmt87nattoxx69576xo67qazyzxxzvzwuzwzzzzzjlro8ls8s4vv7o5l7v48ooszwyvvztzusyvxzzzz\
    egmjignmnhrqk41hlqiijjnustqqypwqouqszwwzgholj0poojsslkkimsjjklpwtvsszqxrpvruzyyzfg3kihonni\
    rrkj4hlri3jkovsurrypwqouqtzxxz57da87ede8hha997bh889aelikhhpfmgekhjznnz
    """)

  static let catalan = LetterModel(
    .latin,
    """
    àçèéíïòóúü
    """,
    """
    07b857acc9eg79cb8cb8a9bihkjizmbmzmzlz3mcaaggdicii696kdf7b7ddkkijzjqzkkzpzz65hif7jli6ez7ke8\
    uy5cf9xzzizezf9iziiiz85zbw8zzb4zgali5xmac8azzzjzfzaihzgkmz67nwk2zmj7jzmhm9ynbembklzlzhzfjj\
    zjjmz4dfbdigalckl6b6gci65bcelejjnnzzzmlnzza6vss6fjy5zzatr4uy5ig8wzzzzhzhxczffzz86jlf6xie5z\
    z8ga7uz6fj6xzzjzfzcyizhgle73urq6uuw5yzeed6swbfc8ugyczezhhjzzxzz57d7aadbmkli9a7aafa87bcpbli\
    fpipzzj9zzc4roo7sruawxnpn4gunnn4szvvxdzvtvzxuzz55qnn7rq76veb8m7ptbbe8ryudwuyusuzwtzz35hhg7\
    igk7zl8dm9ipp8bbhozjnemfidzgimz757nv4jyz7zzmeh88zmef7zzzizczebczhffz56k8a8fbj7hjjlf9pij85e\
    epl9ihegjgzimlz8fa9bedchdhi775hai58a9aihijlozzzmzzzz95ygu4yxe6zz9vt6hz6cbayzznzhmclizgifzf\
    ftqqnutwpyzprpqswppp0uzxxzxzxwxzzwzd65fbb5hck6nifbc8hfaa8cfnjhlehfgezfijz29ibj7jif8zihfkab\
    ima6bnnzlpjzilizkfnz45hkx6nfd7hphik9kz79f8znhjdczggezdfmz78bba6idj9jj9b4kcl789ninhljjzfiff\
    zzzzb3vss4wvx4zzrtr8uygkrdwzzkzhzgebzzyzz63oll5poc5tucmb7mrkbklp9ssurwrqsytrwz46sco5fsu5xy\
    nqoa9uon8dtzwvygzdubzdvzz24hde8thvbxycdc7evd8edhzwfyfzwvwzyvzz62enn6rqb7vwmom6otmmmbryufbc\
    ytsuzvtzz3nc8enadvgxy8a6pdf788dfzdwzwzwvwzywzz41olkipoqjtukmk8mqkjkbpwsrubwrqsytawz9nt7cnh\
    evdxyac5pcv739gezcwzwzwvwzywzz6ouiigvjwezzhhcrswe1gfizyxzxzxwyzzxzz5bd7cmacvoxy676bcfd66pe\
    zwwywzwuwzyvzzegma4gmmohqr8k5ikoh44jnuqpspupopwrpuy7ldablb8tmvw784n8e58bofzeuxuzutuzwuzz0n\
    tqqnutvoyzpr7qiwcapquzxxzwzwvxzywzz6i5lkiooqjst786kmq73clpwsrurwrqrytrwzcekhh2lkm8pq8ighjn\
    7gghlsooqns6m7upntx
    """)

  static let galician = LetterModel(
    .latin,
    """
    áéíñóúüï
    """,
    """
    07b7589ce9ljb9a87da8aaahejjffmzojzz3mc87jghncwn8a8dbi58bdfqbjdzvffzzzz95kki5mmp6pp6fn7gx6c\
    98kzdfpjllzgczzb4m9j8my94thcko4jzah8amtpzzknjzfnzzb5lkl2mfs7oknjo4jthlmahkoqzkkkzmjzz3ce8b\
    kddvavr8a6cci76ahfpbogtzzkrzzzb7mml6dlw3zz8hm4kx9jeauzplxmlezhyzz94bmf9ghf9zzbca7mw5ic5ozt\
    zmgyvylbhza3jlf3rslazniij7mlde9cszsndjcuwsjzzb9c68fbcomqna868bg879iaqcragszd6nzz957ee8ijl5\
    ubfgb95mde89jqjqllolojnzz46abe7fe97yu9cfbapb9a9echhporornqzz66idi5ffp5zm8dk6jing89gqlznkme\
    zljzzc4amr4nxn7osgie67zlgjbnznmzaddzdhzz47m98abbb9pkekm7rtm95ddugqfiklznczz2gdc9midqeoob97\
    hbh66cceiisozvrgzzzz94nbk7mmk9zz8kj5gz5fcboznjzeoczhbzzdijfmkqrslzynomjcuimj0ryqyttvtvrvzz\
    45idb5fdr8zphaf7ikbcaeeshohcmgzhnzz38k9e5fpi8znigm99elh6aiqtntppfzfhzzb5ohk5kyi6zhkgj5fz6d\
    g9llnktbfczenzz88a996gfpbzl7a5lbr779niraofykcpxzzza4dfd4ihn6zzarh6lxlmkrozoppcg7ylnzz76mib\
    7mee3iufbbdeqe7ekm9muperprnrzz85gfj3juk6jzngp6axoj79kjufwigkyukzz2bmde8hmhcxe9jccapaa78btm\
    u9orormqzz71inmgqstfzyllm5ommknarjrzmewtwdvzz3l9ejlcet7zz786m9l88aksz7znuwuwswzz2fceeiohrf\
    zwbm6jms888jpwdxrruruptzzb77f3kegtmzzga8cgu9a5kiz7zetwugswzzh4okk6oprczwlmk2msjkkgpwpwrri8\
    uptzzamlp8mmgvozzdi0nhmdgkmtzgzvvyvyuxzz674ikb8qrkzx856jise8bnpxkxjruruquzz78eaa8efh3qmbca\
    9ci9aacfmfmhhj8kfjwz57d987def8plab97bg899bdldlgfifieivz
    """)

  static let basque = LetterModel(
    .latin,
    """
    ñçü
    """,
    """
    076g75b898d8a9dbalf99dfifjalzz4najbjjbf9q78c8pdq5c69loilaxzzb4msm4qkn4goaiq8izajn9nqqhozzz\
    47dcb9ch7al7dci6bz7b9delgfmzzza5jij4klq4milln8hzckk5gjnpuzzz97fjbeh9ads7ac4dcq597impfo8zzz\
    87kkk79js3xocfl5kz9gcayznkpzzzb4erh6jkg4zrffg5oz8je6pzyzozzzc2lqh5wmm6oljjo5poggc8zoongzzz\
    76ci9afddkp78c68ds8a6ilrep8tzzg1eum8rnp8uhioh8azjik9vxrxmzzz56mnq7sqj8zucol3kzela7spuzezzz\
    94dd85feo5ochhl7izmi87mqsskzzzb3hlk5mml7mmfei6aojfi7nzmfrzzz25ci87ebobidmooacunc6duopohzzz\
    36ei9cfckaja9c7gcz5b9hkilodzzz86mih4lkh6zm7ig7gz6db7mzlgizzz46a7fbkghcndfhdd5v9ca5oqkpevzz\
    b4dkb4hdq7kdfdi9dz5k89krzpmzzz76hfg9gce5z7dab88sgf58hlpjjzzza4mjm6mrj7zjlioahz99h4pm9m6zzz\
    46dp9agdgen99d8piz6b6sksjo8zzz578a87dch6tk4ncagjfieejwjhizzz64kqb5off5hhebdffzg6ces8otfzzz\
    72feh6hqk5xbmenehzkicaihudmzzz37kbeaobhbrd9hce7z9978dvpiazzz74kzk4zix6r7hhqcbzqs88zqzzlzzz\
    a1fmebjfhbmdegdbgubfcdnpjpevzz66bia7fbd8i9ac99cq7b89jlflarzz66bia7fbd8i9ac99cq7b89jlflarzz
    """)

  static let albanian = LetterModel(
    .latin,
    """
    ëç
    """,
    """
    09bd88aad9c8a86d7bb77dajjlebg4neeaideedaa8a6ocd587dbzzidnza4nok6nmj6dk8ki6ko6ih7mwvqo7t85l\
    ni7mk72jaiig8jmggfikvuon8r98qrn6qo35bnnfk7nq8gk9pzycr8w2figbnhcghcaab7fdf786gbjjwdnha6mok7\
    nlj4akajh6kn8887mwvpobt94oplbonkb3lblj8lp6ji8nxwrp9u98rso4hqn8b8obgad9eg49ezzgs8x4afdddgdf\
    ic8986bafb75fczzvcnj75prn4qol7nnmgb8nqff99gzyer5w85qrn7qpm9dndef5nq7a86pzyer7w86erf6qgm4df\
    6cl7nqkeb8pzygr8w768sn4qpm5dnnnl9brcgc9pzyts6w59sc68h8o77fpphbptmd9drzhht4y8gddagda9cab885\
    gaf489fazztdlxb5prm7pol89mcmk6nq6e98ozysr4v8bmoj5mli4cjjjhiknhhg9lwv8o4s56dfc6eci5ecgbe8gi\
    abaagzzcu8y69rip8sq36gdfeh9dimf7chzzit8y57iuq6tra6dqqgn8qt9hi9szzeu4z76beb9bbafca887mbf588\
    ngzysdkwb7opb2onk4bldkialoajilnxwqp8u45fhc9feb5ccccabdgaa9cepoih9l5agidagf2addddbcehbbadfq\
    ojiam4fkmi5ljgeihbbahbl565ijutnmfr86cni7ma74biiag7jmggf8kvubn7s1nsuimtrgmiqfd9pgt66aqdzzvf\
    nz65hje6hgd6eee4cdficcbegrpkj7n
    """)

  static let irish = LetterModel(
    .latin,
    """
    áéíóú
    """,
    """
    05978d89c9hg998c9m978ddijkogffih5kc79hhak5zkaa5cfr789hipzjzoocww86ogh8pn3ayw5kkacz7ji9lxyj\
    zceehf87nog8nn2bzh9gd7iz8be9mzzzzbehbf56ifk6qi57jidhm8gzdfcedizzzcb9ca44kgijkgn5zzgke8nmff\
    ghkoiol6mruta7nlm7he59yvggj6kzaid6swkizaa6cq66hbg9kh3azx9ic8qzbhe8uyzzzcdpdk45eee6dlobzpac\
    a8nzab78xzzpiabbcebada7ng8ljzq6859cm668igzlmqmunmc945cecgeb6pnde9a6tcccbkopprfgfih46aec7ig\
    b9rpecdb5u97c8mqrrtgihjj54dbe5jen9zl9gidczeh9agzzzz989ba66beo7ml3azxdjdabzdcifmzmzzaacbm35\
    mbc8ibmazzeb7hizcc8cxzzpzedaee7j77boi7k6ok866jfz879fkfzzzqsgtt68jgg5oi6ayvbmg4fz8dadkwxkzc\
    cbfe47d8caec98nlbc9b9r8a76imnnpdedgf46cb98hcm8zmdcf8izbd9agozlzba9ea47i6h6fl99zmcfd99zbg8b\
    kzzoobdbdd55rij7in3azikmgcezabfdjokzo8bdcca4ebcijhk4zhc98mfz688jfyiyzcqarr56ab87kjg6ur4icb\
    gxghfgotuuvc8amm75gde9hfc4qobf7bhtd5dglpqqsfhgii28baeageb9pndbbcgtcc7bcopprfgfih39fce9geb8\
    pnd8a9btc9d79opprfgfih28ebd9fda9omcdabfsbbbejnoo9efehg7jbfempel2zwad4mpz9eaotyzzzoqhlr62nk\
    ekimj2xvimjkozkkinswxxznonkp4ihahlfekjywah73pz96aohxyyzoporq5gef8j99i3wtdd8jiz79dldvwwxlnm\
    oo3gca7jnli4wu7c7jizb9emrvwwymnmpo
    """)

  static let welsh = LetterModel(
    .latin,
    """
    âêîôûáïö
    """,
    """
    069889a7a9hjb999ar8abdlas6qfzzizzzz6pea769cg8ql9a6jhz6aa7haqknzzzzzzzz77iyu6xxjbzz6yv5zz7j\
    y9z8z5zzzzzzzzz66zlw9zy4dzebzm8zz9gchzcz4zlzzzzzzz37nz48fkk7zzcpg8zzaizczaz9zqzqmzzzz7dcc5\
    j9ai6zo7d7cjz6979kalfpzzzzzzzz56izi66nm9zz9z96zz8nebzbz7zzzznzzzz55lzk8gn9azz9zi6zz9mlbz6z\
    6zmmlzzzzz45kzf7ggz8zzdkd7kzaljaz8z5zkzzzzzzz46fb8b99jnzl9e77iz899kkaohnpzzzzzzza3qol6onnb\
    zympl2szmoo9znzlzxzzyzzzz36rpm5pob5zzc6m9tzm9ppzozczyzzzzzzz46fdd7dfk7zl5hn9izkidan9z8zozz\
    zzzzn54dea6jcb9zzaif9dz7dlaz9zazlzzgzzzz38iea8f8e7qmem88zzee9czbzaqzzzzzzlz5kad57b9edzl5c6\
    idz79fgjfzizzzzzzzzz95xws5vv8azz8wt6gz5fdaz7zezzhzzzzzz3fkjfgiiiguthjghmzgjj2uizfyrzztzzyz\
    37dca8be87zkefc8fzfeaaoaz9zzpzkzzmz47cgk7i8d6zjfhc8izjf6bzaz6zzzzizziz68dkw7kd38zzfmg9zz7f\
    fazdzamizlzzjzz2chd8fgeyizmae6dkz89czzezwzzzzzzzzz85qpl4ooo2zznpm9szmpppzozlzxzzzzzzz78ecc\
    5hek9zzad6bhz8dihzzz4zzzzzzzzz15kjfgiiiguthjfhmzgjjjtizfyrzztzzyz5gfd5m8cfozza74joz89dzz9z\
    zzzzzzzzzz44ljg5jjj6vthkg6nzhjjjuizgzszzuzzzz0nsrcoqqqezzbr7puzcrrdzqzozzzzzzzzzdfkjfgiiig\
    ut245hmzgjijtizfyrzztzzyzcfkifgiiigus32fgmzgiijthzfyrzztzzyzjmrpmmpoonzz1q5ntz7pppzozmzyzz\
    zzzzz9bgfbceeecqpd1bdizcfefpevbunxwpzxuzcejiefhhhftsgifglzfii0thyexqzzszzxzf1mlhikkkiwvjli\
    5ozilllwkzhztzzvzzzz9chfccfeedqpdfcdjzcfffqev1voxxpzyuz
    """)
}
