"""The most frequent words of each language, folded: they say nothing, and tell which language a text is in."""

from __future__ import annotations

_LISTS = {
    "en": (
        "a about after all also an and any are as at be because been before being but by can could did do does doing "
        "don during each for from had has have having he her here his how i if in into is it its just let me more "
        "most my no nor not of off on once one only or other our out over own please same she should so some such "
        "than that the their them then there these they this those through to too under until up us very was we were "
        "what when where which while who whom whose why will with would you your yours"
    ),
    "de": (
        "aber alle als am an auch auf aus bei bis da das dass dem den der des die dies diese diesem diesen dieser "
        "dieses doch durch ein eine einem einen einer es für gegen haben hat ich ihr im in ist ja jede kann kein "
        "keine man mit muss nach nicht noch nur ob oder ohne sein seine sich sie sind so soll um und uns unser von "
        "vor war warum was wann weil welche welcher wenn wer werden wie wieso wir wird wo zu zum zur über"
    ),
    "fr": (
        "à au aucun aussi aux avec ce ces cet cette ceux chaque comme comment d dans de depuis des donc dont du elle "
        "elles en est et être eux il ils je l la le les leur leurs lorsque mais même n ne nos notre nous on ont ou où "
        "par pas pour pourquoi qu quand que quel quelle qui s sa sans se ses si son sont sous sur tous tout toute "
        "très un une vous"
    ),
    "es": (
        "a al algo como con cual cuando cuándo cómo de del desde donde dónde el ella ellos en entre es esa ese eso "
        "esta está este esto fue ha hay la las le lo los mas más me mi muy no nos nuestra nuestro o para pero por "
        "porque que qué quién se ser si sin sobre son su sus también un una uno y ya"
    ),
    "it": (
        "a ai al alla alle anche che chi ci come con cosa da dai dal dalla dei del della delle di dove e è gli ha "
        "hanno i il in io l la le lo loro ma nei nel nella noi non nostra nostro o per perché più quale quando quello "
        "questa questo se senza si sono su sua suo tra un una uno"
    ),
    "pt": (
        "a ao aos as até com como da das de dela dele do dos e ela ele em entre era essa esse esta está este eu foi "
        "há isso já mais mas me mesmo muito na não nas no nos nossa nosso o onde os ou para pela pelo por porque "
        "quando que quem se sem ser seu sua são só também tem um uma você"
    ),
    "nl": (
        "aan al als ben bij dan dat de deze die dit door dus een en er geen had heb hebben heeft het hij hoe ik in is "
        "je kan maar me meer met mijn moet na naar niet nog nu of om omdat onder ons ook op over te tot uit van voor "
        "waar waarom wanneer was wat we wel welke wie wij worden wordt ze zich zij zijn zo"
    ),
    "sv": (
        "alla att av blir de dem den det denna detta du där efter eller en ett från för han har hon hur i icke inte "
        "jag kan man med mot måste ni nu när och om på ska som till under upp ut utan vad var varför vem vi vid vilka "
        "är"
    ),
    "da": (
        "af alle at blev bliver da de dem den denne der det dette du efter eller en er et for fra før han har hun "
        "hvad hvem hvis hvor hvorfor hvordan hvornår i ikke ind jeg kan med men mod må nu når og også om op os over "
        "på skal som til ud uden under var ved vi være"
    ),
    "no": (
        "alle at av ble blir da de dem den denne der det dette du eller en er et etter for fra før han har hun hva "
        "hvem hvis hvor hvorfor hvordan i ikke inn jeg kan med men mot må nå når og også om opp oss over på skal som "
        "til under ut uten var ved vi være"
    ),
    "fi": (
        "ei eikä eli että ja jo joka jos kaikki kanssa kuin kun me mikä miksi milloin missä miten mukaan mutta ne "
        "niin nyt ole oli olla on ovat se sekä sen siitä sitä tai tämä voi vai vain"
    ),
    "hu": (
        "a az azt azért be csak de egy ez ezt ha hogy hogyan is ki kell már meg mi miért mikor mint mit mivel nem "
        "nincs olyan össze s sem szerint van vagy vannak volt és új"
    ),
    "pl": (
        "aby albo ale bez być był było czy dla dlaczego do gdy gdzie i ich ile jak jako jest już kiedy kto która "
        "które który lub ma mają może na nad nie nie o od oraz po pod przed przez przy są się ta tak także tego ten "
        "to tylko tym w we więc z za ze że"
    ),
    "cs": (
        "a aby ale až bez být byl bylo co do i jak jako je jeho její jen jsme jsou k kde kdo kdy která které který "
        "mezi má na nad ne nebo není o od po pod podle pro proč protože před při s se si ta tak také ten to tohle u v "
        "ve však z za ze že"
    ),
    "ro": (
        "a acest această ai al ale am au ca care ce cine cu cum când că de decât deci despre din dacă doar e este eu "
        "fi fost în la le lui mai ne nici nu o pe pentru prin sau se si sunt și să un una unde unei va în"
    ),
    "tr": (
        "ama bir bu da daha de değil diye en gibi göre hangi her için ile ise kadar ki kim mi mu mı nasıl ne neden "
        "nerede niçin o olan olarak sonra şu tüm var ve veya ya yok zaman çok önce"
    ),
    "id": (
        "ada adalah agar akan apa atau bagaimana bahwa bisa dalam dan dapat dari dengan di harus ini itu jika juga "
        "kami kapan karena ke kenapa kita lebih mana mengapa mereka oleh pada saat saja saya sebagai siapa sudah "
        "telah tidak untuk yang"
    ),
    "ru": (
        "а без бы был была были было в вас во вот все вы где да для до его ее если есть еще ещё же за зачем и из или "
        "им их к как какая какие какой когда кто ли мне может мы на над надо наш не него нет но о об он она они от по "
        "под почему при с со так такое то только у уже чем что чтобы это этот я"
    ),
    "el": (
        "αλλά αν από για δεν είναι εκ ή η θα και κατά με μετά να ο οι όταν ότι πότε που πού πρέπει προς πως πώς σαν "
        "σε στη στην στις στο στον στους τα τη την της τι τις το τον του τους των γιατί"
    ),
    "hi": (
        "अगर अब आप इस उस एक और कब कर करना कहाँ का कि की किस किसलिए के को कोई कौन क्या क्यों गया जब जो तक तो था थी थे "
        "द्वारा नहीं ने पर बाद भी में यह या ये लिए वह वे से हम है हैं हो होता"
    ),
    "ar": (
        "أن أو إلى إن التي الذي الى ان اي أي أين بعد بين ثم حتى ذلك على عن عند في قبل قد كان كل كم كيف لا لم لماذا ما "
        "متى مع من منذ هذا هذه هل هو هي و"
    ),
    "fa": (
        "آن آیا است از این با باید بر برای بود به تا چرا چه چیست چیزی در را شد شود کجا که کی ما می نیست هر هم و یا یک"
    ),
    "ta": ("அது அந்த ஆனால் இது இந்த எங்கே என என்ற என்ன எப்போது எப்படி ஏன் ஒரு மற்றும் யார்"),
    "hy": ("այդ այն այս ավելի բայց է եթե են եւ և ինչ ինչու ինչպես համար հետ մեջ որ որտեղ որը չի ու պետք երբ"),
}

STOP_WORDS = {code: frozenset(words.split()) for code, words in _LISTS.items()}
"""By code of language."""
