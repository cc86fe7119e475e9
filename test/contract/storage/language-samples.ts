/**
 * A text in each of many languages, written for these contract tests, and three ways to ask for it: a phrase as it stands there, a
 * word in another form, and a word with a letter wrong.
 */

export interface LanguageSample {
	readonly language: string;
	readonly text: string;
	readonly phrase: string;
	/** Null where no stemmer is known. */
	readonly inflected: string | null;
	/** Null in scripts without spaces, where pairs of characters are compared anyhow, and for words of four letters at most. */
	readonly mistyped: string | null;
}

function sample(language: string, text: string, phrase: string, inflected: string | null, mistyped: string | null): LanguageSample {
	return { language, text, phrase, inflected, mistyped };
}

export const languageSamples: readonly LanguageSample[] = [
	sample("English", "The harvest of the orchards was carried to the mill before the rain", "carried to the mill", "orchard", "orchrads"),
	sample("German", "Die Schlüssel der Häuser hängen neben der alten Küchentür", "neben der alten Küchentür", "Haus", "Küchentütr"),
	sample("Dutch", "De boeren hebben hun koeien naar de stallen achter het kanaal gebracht", "achter het kanaal", "boer", "kanall"),
	sample("French", "Les voisines ont planté des cerisiers derrière la chapelle du village", "derrière la chapelle", "cerisier", "chapelel"),
	sample("Spanish", "Los pescadores reparaban las redes junto al faro cuando llegó la tormenta", "junto al faro", "reparar", "tormneta"),
	sample("Portuguese", "As costureiras terminaram os vestidos para a festa da padroeira", "para a festa da padroeira", "costureira vestido", "padroiera"),
	sample("Italian", "I pescatori hanno venduto le barche vecchie al museo della laguna", "al museo della laguna", "pescatore barca", "laguan"),
	sample("Swedish", "Flickorna plockade lingon i skogen och sålde burkarna på torget", "plockade lingon i skogen", "flicka", "lingnon"),
	sample("Norwegian", "Fiskerne fant ikke båtene sine etter uværet ved fyret", "etter uværet ved fyret", "båten", "uværett"),
	sample("Danish", "Bagerne solgte ikke flere kringler efter klokken tolv på havnen", "efter klokken tolv", "bageren", "kringlre"),
	sample("Finnish", "Kalastajat korjasivat veneensä ja verkkojaan laiturilla, kun myrsky oli ohi", "kun myrsky oli ohi", "myrskyn", "myrksy"),
	sample("Hungarian", "A halászok megjavították a hálókat és a csónakokat, mert már elmúlt a vihar", "mert már elmúlt a vihar", "csónak", "csnóakokat"),
	sample("Romanian", "Pescarii și-au reparat plasele după furtună, iar copiii au adunat scoicile", "au adunat scoicile", "furtuna", "scocile"),
	sample("Turkish", "Balıkçılar fırtınadan sonra ağlarını onardı ve çocuklar istiridyeleri topladı", "fırtınadan sonra ağlarını", "istiridye", "istirdyeleri"),
	sample("Indonesian", "Para nelayan tidak melaut karena badai, dan mereka memperbaiki jaring di dermaga", "jaring di dermaga", "perbaiki", "dermgaa"),
	sample("Lithuanian", "Žvejai po audros taisė tinklus ir valtis, o vaikai rinko kriaukles prie jūros", "rinko kriaukles prie jūros", "tinklas", "kriakules"),
	sample("Irish", "Bhí na hiascairí ag deisiú na líonta tar éis na stoirme agus bhailigh na páistí sliogáin", "tar éis na stoirme", "stoirm", "sligoáin"),
	sample("Catalan", "Els pescadors van arreglar les xarxes després de la tempesta i els nens collien petxines", "després de la tempesta", null, "petxnies"),
	sample("Polish", "Rybacy naprawili sieci po burzy, a dzieci zbierały muszle na plaży, bo już nie padało", "zbierały muszle na plaży", null, "naparwili"),
	sample("Czech", "Rybáři po bouři opravili sítě a děti sbíraly mušle, protože už nepršelo", "děti sbíraly mušle", null, "opraivli"),
	sample("Serbian", "Рибари су поправили мреже после олује и деца су скупљала шкољке на обали", "мреже после олује", "мрежа", "скупљлаа"),
	sample("Armenian", "Ձկնորսները փոթորկից հետո նորոգեցին ցանցերը", "փոթորկից հետո", "նորոգել", "նորոգցեին"),
	sample("Persian", "ماهیگیران پس از طوفان تورها را تعمیر کردند و بچه‌ها صدف جمع کردند", "پس از طوفان", null, "ماهیگیارن"),
	sample("Urdu", "ماہی گیروں نے طوفان کے بعد جال ٹھیک کیے اور بچوں نے سیپیاں جمع کیں", "جال ٹھیک کیے", null, "سیپاں"),
	sample("Nepali", "माझीहरूले आँधीपछि जाल मर्मत गरे र केटाकेटीले सिपी बटुले भने", "जाल मर्मत गरे", "केटाकेटी", "मझीहरूले"),
	sample("Tamil", "மீனவர்கள் புயலுக்குப் பிறகு வலைகளைச் சரிசெய்தனர்", "புயலுக்குப் பிறகு", "மீனவர்", "சரிசெயதனர்"),
	sample("Vietnamese", "Ngư dân đã vá lưới sau cơn bão và trẻ con nhặt vỏ sò trên bãi biển", "trên bãi biển", null, null),
	sample("Russian", "Рыбаки починили сети после бури, а дети собирали ракушки на берегу", "сети после бури", "ракушка", "ракшуки"),
	sample("Ukrainian", "Рибалки полагодили човни після негоди, і діти збирали мушлі біля маяка", "човни після негоди", "човнами", "мушілі"),
	sample("Bulgarian", "Селяните ремонтираха мелницата, защото пролетта беше дъждовна и реката преля", "защото пролетта беше дъждовна", "мелница", "мелинцата"),
	sample("Greek", "Οι ψαράδες επισκεύασαν τις βάρκες μετά την καταιγίδα", "μετά την καταιγίδα", "βάρκα", "καταιγδία"),
	sample("Arabic", "أصلح الصيادون شباكهم بعد العاصفة وجمع الأطفال الأصداف من الشاطئ", "بعد العاصفة", "عاصفة", "العاصفغة"),
	sample("Hebrew", "הדייגים תיקנו את הרשתות אחרי הסערה והילדים אספו צדפים על החוף", "אחרי הסערה", null, "הרשתותת"),
	sample("Hindi", "मछुआरों ने तूफान के बाद जाल ठीक किए और बच्चों ने सीपियाँ इकट्ठी कीं", "तूफान के बाद", "मछुआरा", "मछआरों"),
	sample("Chinese", "渔民在暴风雨之后修补了渔网，孩子们在海滩上捡贝壳。", "修补了渔网", null, null),
	sample("Japanese", "嵐の後、漁師たちは網を直し、子どもたちは浜辺で貝殻を拾った。", "浜辺で貝殻", null, null),
	sample("Korean", "폭풍이 지난 뒤 어부들은 그물을 고치고 아이들은 해변에서 조개를 주웠다", "해변에서 조개를", null, null),
	sample("Thai", "ชาวประมงซ่อมอวนหลังพายุและเด็กๆเก็บเปลือกหอยบนชายหาด", "เก็บเปลือกหอย", null, null),
];
