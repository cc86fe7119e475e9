/** The languages that can be recognised: their script, their stemmer if there is one, and their most frequent words. */

export type Script = keyof typeof smallWords;
type Stem = (word: string) => string;

interface StemmerModule {
	readonly stemmer: Stem;
}

/** Declared here, because core is type-checked without the types of a platform. */
declare function require(name: `@orama/stemmers/${string}`): StemmerModule;

export interface Language {
	/** ISO 639-1. */
	readonly code: string;
	readonly script: Script;
	/** Null if there is no stemmer. For English it is null too, because every word gets its English stem first. */
	readonly stem: Stem | null;
	/** The articles, prepositions, pronouns and auxiliaries by which it is known; lower case, with their accents. */
	readonly small: readonly string[];
}

const stems: Readonly<Record<string, Stem>> = {
	de: stemmer(() => require("@orama/stemmers/german")),
	nl: stemmer(() => require("@orama/stemmers/dutch")),
	fr: stemmer(() => require("@orama/stemmers/french")),
	es: stemmer(() => require("@orama/stemmers/spanish")),
	pt: stemmer(() => require("@orama/stemmers/portuguese")),
	it: stemmer(() => require("@orama/stemmers/italian")),
	sv: stemmer(() => require("@orama/stemmers/swedish")),
	no: stemmer(() => require("@orama/stemmers/norwegian")),
	da: stemmer(() => require("@orama/stemmers/danish")),
	fi: stemmer(() => require("@orama/stemmers/finnish")),
	hu: stemmer(() => require("@orama/stemmers/hungarian")),
	ro: stemmer(() => require("@orama/stemmers/romanian")),
	tr: stemmer(() => require("@orama/stemmers/turkish")),
	id: stemmer(() => require("@orama/stemmers/indonesian")),
	lt: stemmer(() => require("@orama/stemmers/lithuanian")),
	ga: stemmer(() => require("@orama/stemmers/irish")),
	ru: stemmer(() => require("@orama/stemmers/russian")),
	uk: stemmer(() => require("@orama/stemmers/ukrainian")),
	bg: stemmer(() => require("@orama/stemmers/bulgarian")),
	sr: stemmer(() => require("@orama/stemmers/serbian")),
	ar: stemmer(() => require("@orama/stemmers/arabic")),
	hi: stemmer(() => require("@orama/stemmers/indian")),
	ne: stemmer(() => require("@orama/stemmers/nepali")),
	el: stemmer(() => require("@orama/stemmers/greek")),
	hy: stemmer(() => require("@orama/stemmers/armenian")),
	ta: stemmer(() => require("@orama/stemmers/tamil")),
};

/** Loads a stemmer with the first word of its language, because all together take 5 MB in each thread. It uses `require`, because stemming is synchronous. */
function stemmer(load: () => StemmerModule): Stem {
	let stem: Stem | null = null;
	return (word) => {
		stem ??= load().stemmer;
		return stem(word);
	};
}

/** The most frequent words of each language, by script. A language that has a script to itself needs none. */
const smallWords = {
	Latin: {
		en: "the of and to in is was that for it with as his on be at by he this had not are but from or have an they which one you were all her she there would their we him been has when who will no more if out so said what up its about than into them can only other some could time these two may then do my over did our likes lives works i me am a how why does want need should make get go just because yes okay thank thanks please any much many long your each both such very after before between while where whom",
		de: "der die das und den von zu mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber vor zur bis mehr durch man sein wurde sei ich du wir ihr mein dein unser kein keine wenn kann muss mag wohnt wo was wer wann warum welche gibt",
		nl: "de het een en van in is dat op te zijn met voor die niet aan er om ook als bij maar uit dan nog naar heeft hij ze wordt door over we ik je mijn zijn haar hun wat waar wie wanneer hoe deze dit kan moet zal werd hebben was geen wel meer tot al zich worden tussen onder",
		fr: "le la les de des du et en un une est que qui dans pour pas au sur par plus avec ce il se son sont elle nous vous ils mais ou où sa ses cette ces aux leur été être avoir ont fait comme tout je tu mon ma mes ton ta très sans sous entre quand comment pourquoi quel quelle aime habite qu jusqu lorsqu chez vers jours année prochaine",
		es: "el la los las de del y en un una que es por con para se no su al lo como más o pero sus le ya este sí porque esta entre cuando muy sin sobre también me hasta hay donde quien desde todo nos durante uno ni contra ese eso mi tu yo él ella son fue ha está tiene cuál qué quién dónde cómo vive gusta",
		pt: "o a os as de do da dos das e em no na nos nas um uma que é por com para se não seu sua ao à como mais ou mas foi são ser tem também já pelo pela até isso ele ela entre quando muito sem sobre está você eu meu minha nós eles esta este qual quem onde ainda depois mesmo gosta mora",
		it: "il lo la i gli le di del della dei delle e è in un una uno che per con non si da dal dalla al alla nel nella sul sulla come più o ma sono ha anche questo questa suo sua io tu lui lei noi voi loro mio mia essere stato quando dove chi cosa perché molto ancora dopo tra fra quale ogni vive abita piace dell nell dall sull all un gli prossimo anno",
		sv: "och att det i en som är av för på den med till har inte om ett han men var de jag hon vi så ni kan från när hur vad vem mycket efter eller nu också sig sin sitt sina mot under hade skulle ska blir denna detta alla bara finns där här måste utan mellan år nästa arbetar bor gillar",
		no: "og i det er en som på til av for å at med de den har ikke om et han fra var jeg men vi så kan hun seg sin ble vil skal etter ved også eller når hva hvem hvor hvordan mye bare dette disse blir må være hadde ut opp nå noe noen uten mellom år hvorfor neste arbeider bor liker ikkje",
		da: "og i det er en som på til af for at med de den har ikke om et han fra var jeg men vi så kan hun sig sin blev vil skal efter ved også eller når hvad hvem hvor hvordan meget bare dette disse bliver må være havde ud op nu noget nogle uden mellem år hvorfor næste arbejder bor",
		fi: "ja on ei että se oli hän mutta ovat kun myös niin kuin joka tai ole jos vain nyt sen sitä tämä minä sinä me te he mikä kuka missä mitä miten milloin miksi olen olet olla ollut olisi kanssa jälkeen ennen vielä hyvin sekä koska jotka siitä mukaan voi pitää asuu ensi",
		hu: "a az és hogy nem is egy ez azt van volt de meg csak már mint ha el kell még sem vagy lesz aki ami mert minden ki mi mit hol mikor hogyan miért én te ő mi ti nagyon után alatt között szerint lehet kap lakik jövő",
		ro: "și în de la a pe cu nu este un o din că mai care ce pentru sau se al ai ale lui ei sunt fost era dar le prin după între fără acest această acesta fi are avea unde când cum cine ce eu tu el ea noi voi foarte în lui într locuiește",
		tr: "ve bir bu da de için ile çok daha olan olarak ne gibi kadar sonra değil var yok o ben sen biz siz onlar mi mı mu mü ki ama veya en her şey nasıl neden nerede kim hangi olduğu oldu ise göre ancak tarafından önce kendi bütün hem ya eder seviyor yaşıyor",
		id: "yang dan di ke dari untuk pada dengan ini itu adalah tidak dalam akan oleh sebagai juga saya kami kita mereka dia anda atau karena ada bisa dapat telah sudah lebih hanya antara setelah ketika bagaimana apa siapa mana kapan mengapa bahwa seperti tahun",
		lt: "ir yra kad į iš su tai buvo ne bet kaip per po už jo jos jis ji aš tu mes jūs jie apie nuo iki dėl prie arba taip pat tik dar kur kas kada kodėl kaip metų gali turi gyvena kuris kuri",
		ga: "an na agus ar is i le do go tá bhí sé sí ag a ní ach nó faoi ó seo sin mé tú muid siad cad cá conas cén atá raibh bhfuil",
		ca: "el la els les de del dels i en un una que és per amb no al als ha més com però són ser seva seu entre quan on qui aquest aquesta també fins molt sense sobre",
		pl: "i w na z do się nie jest że to o jak od po za co przez dla ale tak był była czy już ma są może przy tym jego jej lub oraz który która gdzie kiedy kto dlaczego bardzo roku",
		cs: "a v na se je že to z s do o i k ve za po jako ale od pro jsou by byl jeho nebo jak která který aby při také už jen kde kdy kdo proč velmi roku jsem",
		vi: "và của là có trong cho được không với một các người này đã những để khi từ đến về tôi anh chị em họ cũng như nhưng ở đó năm ngày vào ra nào gì ai đâu hết",
	},
	Cyrillic: {
		ru: "и в не на я что он с как это по но они мы она к у из за то все так его вы от же бы для о до был была было или если уже только мне еще ее при когда где кто какой какие какая сколько есть был были будет нет их чем себя которые который этот года",
		uk: "і в не на я що він з як це по але вони ми вона до у із за то всі так його ви від же б для про був була було або якщо вже тільки мені ще її при коли де хто який яка є були буде немає їх чим себе які цей року та й",
		bg: "и в на не е се да от за с че са по като но той тя те ние аз ще при или което който която до беше този тази това има ли му ѝ му много след между къде кога кой как защо година",
		sr: "и у на не је се да од за са су по као али он она они ми ја ће при или који која које до био била овај ова ово има ли му њен врло после између где када ко како зашто године",
	},
	Arabic: {
		ar: "في من على إلى أن هذا هذه التي الذي مع عن كان لا ما هو هي أو ثم بعد كل قد لم بين عند",
		fa: "و در به از که این را با است برای آن یک تا می بر هم نیز شد شده ها خود",
		ur: "کے کی میں ہے اور سے کا کو نے پر یہ ہیں کہ تھا بھی ایک نہیں",
	},
	Devanagari: {
		hi: "के है में की और से का को पर यह हैं कि था भी एक नहीं ने तो लिए इस होगा",
		ne: "छ र को मा यो पनि भने लागि गर्न हो छन् थियो गरेको तथा",
	},
	Greek: { el: "" },
	Armenian: { hy: "" },
	Tamil: { ta: "" },
	Hebrew: { he: "" },
	Kana: { ja: "" },
	Hangul: { ko: "" },
	Han: { zh: "" },
	Thai: { th: "" },
	Lao: { lo: "" },
	Khmer: { km: "" },
	Myanmar: { my: "" },
} satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

/** All languages. If nothing in a text decides between languages of one script, the earlier ones come first. */
export const languages: readonly Language[] = Object.entries(smallWords).flatMap(([script, words]) =>
	Object.entries(words).map(([code, small]) => ({ code, script: script as Script, stem: stems[code] ?? null, small: small === "" ? [] : small.split(" ") })),
);

const japanese = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** A pattern for the letters of each script. */
export const scripts: ReadonlyMap<Script, RegExp> = new Map(
	(Object.keys(smallWords) as Script[]).map((script) => [script, script === "Kana" ? japanese : new RegExp(`\\p{Script=${script}}`, "u")]),
);
