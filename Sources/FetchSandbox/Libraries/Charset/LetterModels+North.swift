/// Letter frequencies of Germanic languages, Finnish and Estonian in windows-1252. They were
/// counted in the abstracts of Wikipedia or, for a few languages, in translations of programs.
/// `LetterModel` describes the format.
extension LetterModel {
  static let english = LetterModel(
    .latin,
    """
    éï
    """,
    """
    0698ab9ba7dda9b89ja86de9zgjzz6zcaaffcgbie695zcz676cdfjchzza5ezz4zzz8zz7zx6zz7cx7zzz6zzz85z\
    dz6zz57zaazz5zzad7azzzezzz28zze5zfz6zzfgzazzbbz9hgzezzz39fa7bedidzi9b7edj67agdeeezzz39zzz8\
    azz6zzbzx5zz7ybczzzzzzz47zzf5zf77zz9za9zz7ce8zzzczzz66zzz2zzz6zzghe7zzczcbzgzezzzb8e7b9dbz\
    izg9c47dza57hazhzfzzo3wtt5vvtrzytur4vzssr4xwzwzzz37zww5yyc6zzbc79yzv8uxzzzczzz56dza5fhz6zg\
    7dz7gzzabafhz8zzz658zz4zzz6zzz9y78zzby9zzzezzz38j968g7i8zfggd9zzj97dgzzejzz7eeabg6cgeze985\
    baz5aa8bahgzzz85zzz5zz98zz7zx6az5ca8zzzzzzzlnsqqnrsqoyvprooszooo0utzszzz57fca5gci6zccb97fz\
    c99beizazzz2bibz7zz98zfefh9bzz95bzgzezzz58ghz6zz46zzdhz7zz9bcbzezazzzc999a9fazazf885yaz667\
    zzzzzzzzb6zxx2zzx4zzxyv9zzvvvyzzzdzzz73zzy6zz66zzyz77zzacwzzzzzzzz36uss7tur5zwrtqq6zqq5twv\
    zuzzz1bzde9zzydzzcbcacze9ezzzzzzzz54usr3ttr5zwrsp7tzqqpsvuzuzzz57caa7cca8ifab88cn888bedkck\
    zz57caa7cca8ifab88cn888bedkckzz
    """)

  static let german = LetterModel(
    .latin,
    """
    äöüßéèà
    """,
    """
    089c67a9b7dab9bbakb7b999zkblihzzzz8ebaafbbaczd685zdz7876fhifgzzzhzzza6yxv2yew7zy9xt9zz8bd7\
    zzzzezzzzzzzcazywbzy1dz8gyu9zzvvegzzzzzzzzzzzz58izy2zih6zfdzgbzzcdbbzfzzzzzzzhzz5fdddgfcc6\
    zf9a5hgz48acifihezzzlzzz67xwu68cv7zy8wt8zz7c6azzzzzdz7zzzz58zyw3zfe8zf9ydbzz79aazzzzzzzzzz\
    zz66gzx3zzy8zh9c99zz8b8bzczgzdcgzzzzacf8d5dafyzb994agzb57hezzzfzzzjzzzm2srp4srqnysqrn6tzoo\
    o5utzytxywzzzz65xwu5ywv8zy8bt7yz7a78zzzzzzbdzzzz76cfb5ddg5zd7cd9fzh88agzzfedzhzzzz46ayw5fy\
    x6zzg9u9bzvccazzzzzcgfzzzz39ef66e8f9zdfibczzh98digziczjzzzzz9fba9gbbbezc784ebz59abbbzzezzz\
    ezzza6xvu69w86zx9ws69z5d99zyzzyczzzzzzgjmlkgnlkitnklilozijj0ooxsortruzzz38cd96dad7zbcca9gz\
    d98ahezhdffdzzzz5ae5h7gdd8zeefxaazg94digzfhhzezzzz48gzz4gfa7zhbgiaiz99aazdzfbdzhzzzzacc9db\
    9bgezea83ybz667yzzzzfzzzezzza8wvt3wvu6zwuvr3xzsssuyxzzyzzzzzzz94wvu3xvu4zxuvs8yzstt8yyzzyb\
    zzzzzz2knmkhoml3tolmilozjjjlpoytpstsvzzz39srq8trqozt978r8z95aquuzyuxyxzzzz5bdvt4xvu6zxuvrc\
    xzss94y7zzydbzzzzznqt7an996pzu7s5svz6967vvzzvyzyzzzzmosrpm8r8nyt896qtz34oqutzyuxyx8zzzoq68\
    6oub6pzust5svz399swvzzvzzyzzzzjm4om2qonlvqnoknqzll5nrqzvruvuxzzzehkjheljigqlijfi0ygggimlvq\
    mpqpsyzz68cb96dba7icab7adp888aedniehihkqzz68cb96dba7icab7adp888aedniehihkqzz
    """)

  static let dutch = LetterModel(
    .latin,
    """
    ëéèïöüóáê
    """,
    """
    099b67c987dbb9b99zb99c7azkczlzzzzzzz96ebbfdbhdja794ycz697cejzghzzzzzzzzzb6dwt3yvv6yw9vr7wz\
    6es8wxzzzzzzzzzzzza7xxu7zw37zabws6xzct7awyzzzzzzzzzzzz59zze2zhh6zhxzv9zzbacbzgzzzzzzzzzzzz\
    4feeb7fchczd8a4hdz6a8edgiiezzzzzzzzz57vu979ct6wuctq7uz5a8cuwzzxzzzzzzzzz59yxc2zed7zyexcayz\
    8abbxzzzzzzzzzzzzz86yxu2zwx7zxvwe7xzbu7axzzzzzzzzzzzzzabg9a6gazh7b9d4afzd57heijzgdzzzzzzzz\
    56vv87buurx4su68vzrar8bwzzyzzzzzzzzz56xxu5zwf8zbaae7xza96bwezzzzzzzzzzzz65dg96ech5zc8du8fz\
    v88bezzezzzzzzzzzz659yc3zxx7zyvbt8azubcbxzzgzzzzzzzzzz29gd78i9hazehjdbzzh87fhcziizkzzzzzzz\
    9fdcc8abgdzc89568z5aa9aeziizzzzzzzzz65xxu5zdd8zx6ws79z6cbbwyzzzzzzzzzzzzeglkhenjjgmkijfhkz\
    hhg0kluqntuzzzzzzz57de86gbf6zbabc7ezb88bdfzgfzizzzzzzz3af8f6zidafdcfhbazi95dhizgizzzzzzzzz\
    38fzx5zfb8jigiw9zz98dahezdhzzzzzzzzzbabb9bzbw4ze997uez6699faezdzzzzzzzzzd2yxu4zww6zxaws5xz\
    cutxxyzzzzzzzzzzzz94wvd3yvv6xvtud4vzsdsvvxzzzzzzzzzzzz1inmjgplm4omklijmzjjjmmowspvxzzzzzzz\
    29sapaurrous989aaz97orrtzxvzzzzzzzzz97uur4wtt3wurtp6uzqqq7t9zzxzzzzzzzzz0joolhqnnjqolnjkoz\
    kkknnpytrwyzzzzzzz4innkgpmmipnkm2jnzjjjmmoxsqv4zzzzzzz58dc96ebb8ecab79cz898bcdmhflmzzzzzzz\
    58dc96ebb8ecab79cz898bcdmhflmzzzzzzz58dc96ebb8ecab79cz898bcdmhflmzzzzzzz58dc96ebb8ecab79cz\
    898bcdmhflmzzzzzzz58dc96ebb8ecab79cz898bcdmhflmzzzzzzz58dc96ebb8ecab79cz898bcdmhflmzzzzzzz\
    58dc96ebb8ecab79cz898bcdmhflmzzzzzzz
    """)

  static let afrikaans = LetterModel(
    .latin,
    """
    ëêéèôûïáö
    """,
    """
    099e69d9a7dab989bmb7ae79zljzzzzzzzzz86egaeabidjb7a4ncz787dhgzijxzzzzzzzz96eqj3oln7rk9li7mz\
    6ij9lmx9xtxzzzzzzz76jmf7kh38n7gie6jxfeaiiitltptxzzzzzz59hue4rih3ionglaqzcbhbpfzszwzizzzzzz\
    3gcib9gcgbxa8b6hdz689cedzjzgzzzzzzzz49lpa7bbd7pcdkg8lz47bdklwnvrvzzzzzzz49esc3pdb9smene9oz\
    69acnozqyuyzzzzzzz95mqi3nkm8qkjlh5mzcha7lmw9wswzzzzzzzbchea3g9shw8ad5cfzc68hejzukdzzzzzzzz\
    b3imf6khj7nhghe5ixeef7iitltptxzzzzzz55osl5qfg8ta9dj7oz899andzfyuzzzzzzzz65eta5dbf5db9fk8ez\
    l9cagfzdzvfzzzzzzz558re4peo7sllbj8azjaeamnyqxtyzzzzzzz28gg79j7g9hcfidarzi89egfzjzxzzzzzzzz\
    bhegb89bgeua88669z599acdzszfzzzzzzzz56mqj5ode9rl9li79z6aaammbextxzzzzzzz68dh96ebe8hbac89dr\
    9995cdofnjnrzzzzzz57dh86gbf6vacbc7dze89addzbzxzzzzzzzz3affg5igg7h9bfh9azhb5bgezczxzzzzzzzz\
    46hum4rfb8igehl8qz99cahczczwzzzzzzzz8bagaapao4sb897kfz56aameyqyuyzzzzzzzd2nrk5pmo6slamj6nz\
    ajkfmnyfyuyzzzzzzzc3nqj4oln7rlkmi5mziijmmmxaxtdzzzzzzz2aeib8gdf9jdceabetaabeeephplptzzzzzz\
    3fko798clfp7aj7gkzg7hjj9vmuqvzzzzzzz45eib5gdf6jccdabetaabddephplptzzzzzz1chkdaifhclf7gcdhv\
    7cdgggrjrnrvzzzzzz4afjb8gdfajdceabft3abeefphplptzzzzzz38dha7ebe8ibbc89ds99accdofnjoszzzzzz\
    57cg96ebd7haab89cr889bbcnfnjnrzzzzzz57cg96ebd7haab89cr889bbcnfnjnrzzzzzz57cg96ebd7haab89cr\
    889bbcnfnjnrzzzzzz57cg96ebd7haab89cr889bbcnfnjnrzzzzzz57cg96ebd7haab89cr889bbcnfnjnrzzzzzz\
    57cg96ebd7haab89cr889bbcnfnjnrzzzzzz
    """)

  static let swedish = LetterModel(
    .latin,
    """
    åäöéüá
    """,
    """
    089c888ba8c9a9b89zb69b9fzhkf9fzzz5kfe8hebhffc785xcz597d8jihizzzzzza6bvs4utu7yt7tq6vz6rr8uz\
    z9zddczzza8vvs7ut28y5etq8uzqrdeuzzxzwvvzzz47gy83hhh9fhdgdayza9hdfzzgzfeazzz6edd9gedhfjd7b4\
    gdz597gehfgzzzzzzz97wwt9buv7fu9tr7vz6r8dvzzdzec3zzz56fxc4gac8fububawz78bavzzgzbwczzz34wws6\
    vuv8ftete7vzdre8uzzfzcbazzz5bfb99d8ygz87d59fzc78gazizizzzzzz74ssp5srsovqpqn5sznoo4rzzvzu68\
    zzz54xxu7wwc9zvaeb7xz8a7bdzzczdcdzzz65cya6egf6cc5ae9gzt9bbdzzdzeafzzz459xh5ehf8zgb8a9bzdbc\
    9wzzezdcfzzz37gf79f7g8idejaazzh79ddzzfzhejzzzafc5bgbbegib756fbz5a9cbfzzzzyzzzz86vvs5vfd9yt\
    9tf76z6a9buzzyz6vwzzzachhechghdkfefdehzcdd1gopksjhizzz37dhb7ebg7gbcda9hzd9aafzzezbcezzz58e\
    ef8fid9e6bdf7azga5dazzdzddezzz46ezw6gfb6ghehe8zz9a7cdzzczfdezzzbabc9cvavdzb885t8z666vbzzyz\
    xwwzzz54wwf4vvv6zudufdwzfbfcvzzzza7xzzz53ppl4ono4rmlmk8ozkkkonvwrzqopzzz47ool5nmn6rmkmjlnz\
    jk4nnvvqypoozzz4at98nc7spvb998baz758sszzvzustzzz24lligkjk4ojijgilzghhkkstnvmllzzz4puu7dt9t\
    qwa8r4qtz6b8tdzzwzvtuzzzoqvdcqv9vrya8a6sdz289v9zcyzxvwzzzbqvv4puburddbcarbz29au9zzxzwuvzzz\
    achhechghdkfef1ehzcddggopkrjhizzz57cc97cbc8fa9a89cz888cbjkfnecdzzz57cc97cbc8fa9a89cz888cbj\
    kfnecdzzz
    """)

  static let danish = LetterModel(
    .latin,
    """
    æøåéäöü
    """,
    """
    089c768b98e9a9b89zb79cafzklkghzzzz7fbdaf7ahehc784sez6a7dazzfiyyyzzzz96dup4rqs8dq6qo7sz7do9\
    szz7zedezzzz96psm4on46t7cnl6pzklacpwzrzssszzzz58cxd2fdh9iebgfcvzb89ddzzfzieyzzzz5ffh9hechf\
    fd8b5hgz497gcjkikzzzzzzz48svp9cqf8fr9ro4tz6e8cszzezd8gzzzz39hwe4t9d9yscs9cuz899cuzzgzxfdzz\
    zz94ruo4qps8bpope6rzcnd88yzdzcadzzzz5bdc99d7wsz97d59ezb79gazzxjyyyzzzz86or83nmpksmamk6ozja\
    k7ovzay9arzzzz56fwq5sru8x9aed6uz899aezzezecwzzzz67dx95fdg6zd6cq9gzf8abdzzdzcdfzzzz56bwq4er\
    f8xee7g9bzdcb8tzzfzdgczzzz39ge56g7e9jdgfbawzi79egzzfzgzizzzzahdd9gb5ghyc766f9z4bbd9fzxzyxy\
    zzzz97ruo6dpc7vq9pn79z5baarzztzeu6zzzz8behb8dcfbidbdabfzabb2emshohhhzzzz38dha6ebf7zbdca9hz\
    d9aafzzfzcefzzzz69ddh7fhd8i5bdf7azha5ddzzbzeddzzzz38hys5htb6gudie9wz8bacgzzbifdfzzzzbbab69\
    e9scwb884p9z769sszzuzvuvzzzz66rud3rqs5wqpq88sznbosszzuz8uvzzzz53knh5kil5ojhjg8lzghhkksynuo\
    nozzzz1dgjdafehdkfdfcdhzcddggoujqjjjzzzz5cds67p7qmt99b8daz869ppxzsztstzzzz35ilf5hgj4mhfhef\
    jzefeiiqwkslllzzzzilor9io7pls76n6lpz468oawzrysrrzzzz9l7s5aoaql8c9b8mpz46lpaxzrzssszzzz2lbr\
    7aonpltn9n8mpz5clopwzrysrszzzz58cf96bad8ga9a89cz788ccjqemfffzzzz58cf96bad8ga9a89cz788ccjqe\
    mfffzzzz58cf96bad8ga9a89cz788ccjqemfffzzzz58cf96bad8ga9a89cz788ccjqemfffzzzz
    """)

  static let norwegian = LetterModel(
    .latin,
    """
    æøåéèòôü
    """,
    """
    089c868ba7e9a9a89lb79bagkjkzfezzzzz6ideafdagdib695ibz688c7zzgizzzzzzzzd6cxr4tsu8wr5sp8tz6q\
    p8tzz6zzedzzzzz85quo7qo48t7npm4qzmmabqyzszzstzzzzz58gzc2hug8zgbffbwz999cezzfzzczzzzzz5ffi9\
    hfchczc8c5gez496hejkizzzzzzzzzb8uxs7bsv79s9sq4uz6q8btzzazz7wzzzzz38wzc4v9d9ctcuacvz89dbgzz\
    fzzyczzzzz93twq4tru7crqre6tzcpe8azzezz9vzzzzz4afd9ad8yii87d5bezb69hbzzzzzzzzzzzzc7svp3rpsb\
    upoqn3rznon8rzztzz7uzzzzz56wzt5wuf9a8bcd6wz898adzzezzyyzzzzz66ezb5fdf6gb6ds9gzs99cczzdzgeg\
    zzzzz46bzt4euw8yge7g9bzdbd8vzzfzzgdzzzzz39fg76f7g9idei89yzi88gizzezhjhzzzzzagdebec6ghzb856\
    gaz4aacagzizzzzzzzzz97uxr5usd7ws9sf77z5bbatzzwzzw6zzzzz9cgjeagehciedebdgubcc1forirpiizzzzz\
    37dh96ebg7zaddc9hzd99afzzfzzeezzzzz69efg6fid8a6bef7azha5dczzdzzcdzzzzz38fzi5gfc7hidie9yz9a\
    8bdzzbzzdgzzzzzbaaeaaebvdx8894rbz766utzzwzzwxzzzzz45vye3usf6xsrtaauzqdfuuzzwzcxezzzzz43nqk\
    5mln5pkjlijmzijimmuyoywppzzzzz3fjnhdjhk2mhgifgjxfffjjrvlvslmzzzzz49sv87s7tbu98a9daz868srzz\
    uzzuvzzzzz23ilgcigjelgfgefiwdeeihquktrklzzzzzfimpkgmknipkjkijmz0iimluyoxvopzzzzzcosv5crqto\
    uaaa9oaz37cr9zz6zzuuzzzzz2nrv7crpsnua9qbobz5c9rrzztzzuuzzzzz58cfa6cad8fa9a89cq788cbkoenlef\
    zzzzz58cfa6cad8fa9a89cq788cbkoenlefzzzzz58cfa6cad8fa9a89cq788cbkoenlefzzzzz58cfa6cad8fa9a8\
    9cq788cbkoenlefzzzzz58cfa6cad8fa9a89cq788cbkoenlefzzzzz
    """)

  static let icelandic = LetterModel(
    .latin,
    """
    áéíóúýðþæö
    """,
    """
    089gc88a8cgc88accmb59b8iggmbzbedkxanh3ififi9agipb898qes5abbejmipozklzz7mzz86ili8ngn5gm8fha\
    fz4ikchzobolxca8gpv8u38db98bh8aoadcg7dz8a9cgjfezotopqqlqpq46ek9adcg4ihebjcgz9aj6almnqfzagj\
    grxhgcgighj98p6r8896gfn597kina8nwzxmyz9mxs77jmp8can79c7g98lz8a9adzq7zikhioqij8b55ere6h9e7b\
    s9e9inz8ba7gzzlpdzghlydyfdc6txi6qlsdan5ka8so7ec98zxdfaekcgkqv7c5jghekdbgloc5c5hcq787nkzmpo\
    tztztz6nyzj2hxrgqpseskopmieznon9rzxsz4yi5dvqvt786kol9bch587aebaiz7a98cnrezhzhaehsykg76hf87\
    bei6ae7dkdfzhbb7ftsctcfbdiaujcd57ale6ine7fhebgfbzhafahzn5zbrgcgislga66hj5bg6i7gceg7awtj8a9\
    gzzozgofmcdvrgnajiedlb6nhh8ab9g7z495dgckkosysuuv8vtu67kgg7efd7an9i9c5z8a97mzmhzfzdfhkrwmj4\
    a9aeaedgbgdbdbg6t9c85folfrglghijdjhi47gjk8dcd6h8bfcddrcaaaerzjr9ddfei9meh68ggh7ihf9b69caha\
    zfa4dbpqksifbhgcunci54gkj9dee5bgffcegz9c77eonfrgmcdifplac5hglfjfakknca64w9z5a9mgziprvzwxpy\
    anwxc5gge4kil3urcricmzhnkgszptztg8vwwrw9a56lpb9ide4gicabdeyf6dhj8pkvkqlmnninlm4efbhaflfbol\
    7bhoezgf2kifsbjntepqqlqoqbitikg8colb9aa3jdz5f6hlzyohtytuvvbwuv28img7gfi8df9cdihvdcdfhandci\
    ndjdkfljk39exii9bceta69atjz876jizxszsmouvvbjjv7hnrljckninb9kenmz5f2emvsmynsnopghqop38ewdfg\
    eins8896sdzc899fzbrzlxsguv7mtuaehvhla8imf8997raz877hazwqzrwmstt4cst76evdgedlblbb96qez793g9\
    yhpzqwkrstftrsafjuomgnpk8cc95qbz656moyupzpvqrjs5srs26fzfhecg7fdbbcvkza9f79zzuznzvjixsowoh6\
    quo2nnpd7nlklepz9lle8yucz9bcg7bnsfheiswkng6r9f7ba9rmz386kizwrzrxstuu7ustglqvlm75qlq84e8q7z\
    5dcnpyvqzqwrsst7trs
    """)

  static let finnish = LetterModel(
    .latin,
    """
    äöåéšž
    """,
    """
    08cdd9deab7698a78za77d8gzbkjzzzzz47igegjhd7ca6b6jcz989bczzikxzzzzz75ttq5uso6olank6oz6kk4ox\
    zpzntzzzz75ttq7us58o6lnk5ozmk9aoxzozntzzzz76wwt3xvr5rooqn7rzbcnarzz8zcwzzzz7cihd8jgc8gb6b4\
    efz777ccjzfzizzzzz66rro6tqn4mkjli5nz5iikmvznzlszzzz75ttq5vt94om7nb8pz7llapyzpzouzzzzb5xx75\
    zwt68cfae8tzdo59szzbz9yzzzz69ifcaigd8c9895bezb57hbzzyzegzzzzo2yyv7zxtatqqsp4tzspp8tzzuz7yz\
    zzzd4zzx7zzw6v8huh6wzd7e6vzzbz9fzzzzc5dzg7zzw5ea59s8ezvf97ezzdz8fzzzzb4dzw5zyu4urr8q8aztqq\
    7uzzaz8zzzzz28zhd7kbg8hagg8ahzia8cgzzezcjzzzz9cgfbeeea6c8784baz979bbhzizvzzzzzb5xxu5zxe5sq\
    dro78zadd6szecz8yzzzz66ggd8igc7b98a78cza889clqcpbhzzzza6ggc7zcc488ebc7ezbb98bzzczczzzzz86z\
    iy6zzf5iaffjafzi758dzzdzazzzzz84zzy6zzc6wdivs7xzcb67xzz9z8dzzzz9chibbzhcae87966bz96779zzwz\
    uzzzzzn3yyv6zxt5tqqso8tzrpp6tzzbz7yzzzz42oolfpnj4jggifgjziffgjsxkwiozzzz0cmmjdolidhfegdeiz\
    geefhqviuhnzzzz7exxcazw6as8798pcza76qazz8ze8zzzz66ggd8igc7b98a78cza889clqcpbhzzzz3fyzvfzya\
    8ca9a6eez89arazz9z6zzzzz5isspkusa7n88a5koz948loxz9znazzzz66ggd8igc7b98a78cza889clqcpbhzzzz\
    66ggd8igc7b98a78cza889clqcpbhzzzz66ggd8igc7b98a78cza889clqcpbhzzzz66ggd8igc7b98a78cza889cl\
    qcpbhzzzz
    """)

  static let estonian = LetterModel(
    .latin,
    """
    äõöüšž
    """,
    """
    08ced9ddbb8687a78ma78d8gkkjigkckp57bh9egdbac9697gdr868cbmnkkwoznmo36hsh6soj6di9mh9oz7ei8nw\
    zgxfqkgxz86mdj7pk48l7afh6lzaeaaktwegmmrnux35lwj5wjj6hgddfblzbeg6hjzkmtlyhzh4bdia7hbbag9798\
    deq869fbjkjmwpzoqm77mqj7bfl4diajh6lz7eb9ktwsucnc9ux74ruh6uhf5ie9gcbdz9dg5iyziyrkjjzza5run4\
    upc697fdc9pzeg78ajzhydewezz5aef8dhbf8g7896beob58ecpnplwlzmnqf1qun9tppfpmlhg9pzmki6oxzwy89l\
    izz75nxn6nsi7kbbdg6jzb6a6ezzjzebkcoz66hna6jbi4cd8bf9hzjc99ezzjocdlezz84anp5lml4jhicfaczlei\
    8lzzjzabjfzz56ig66h8j6jeik8blzic99jozjjefzjzzagcgaeeabdfb6945cz78afcimkluuzvnza5run6lpd6ph\
    ahg6az7cb8oxkjy98gczz68fic8ide8ebabaaesb9a3dmplmffkgnq85dha6i9f4bbebb8gzbc99amzhkgijezz47k\
    gm5jmf7haedgbezib58enzlojdkbzz55mnr5lnd6hgbdg9kza7c6hnzjkcffffz7cai7fjbccda798hez8487bzmol\
    unznmz73rvk6ujq6mggifahzjdj9kyzlz86hjzz64jmg5mhd4ifefb7iwfaeehdtpqjjokru36gkd8kff5fcbdbcft\
    ca8cenqmohhmhps37ecb9ndiaic8a98cxa8adhqtprkkplsv55ilf5lha5hedcb7hvead8gpsdbijnjqteibsf8sa7\
    6of7e6gez4bclewzvw6puqxzfigsc9sb639f8e8i9z7d97gwzvipbuqjz9ddo7cncjcj8ac9gbx797gcruqsll3ltw\
    effrbijd5in7595gbz979kfvyuwopt7wz56ile5lgg5h9ded8gvec998ornpiinjqt65gjc7jee4fcbcb8etcab8en\
    pmngglhor
    """)
}
