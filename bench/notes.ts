/** Notes of one kilobyte as people write them: several facts each, of a few hundred people, places and things. The same seed makes the same notes. */

export interface Note {
	readonly content: string;
	readonly customId: string;
	readonly containerTag: string;
	readonly metadata: Readonly<Record<string, string | number>>;
}

export interface Writer {
	/** The next note. */
	readonly note: () => Note;
	/** A question that some of the notes answer. */
	readonly question: () => string;
	/** One of the containers the notes go to. */
	readonly containerTag: () => string;
}

const containers = 10;
const charactersMax = 1_024;

const lists = {
	first:
		"Ada Bela Carla Dmitri Elif Farid Greta Hana Ivo Jonas Keiko Lena Marco Nadia Omar Priya Quentin Rosa Samir Tove Ursula Viktor Wanda Xenia Yusuf Zofia Anton Birgit Cedric Dalia",
	onset:
		"Al Ber Brand Cast Dal Dor Eck Fal Fent Gar Grun Hald Harl Ives Jens Kal Kor Lind Lor Mar Mont Nor Oster Pal Pem Quin Ras Ron Sand Stav Tarn Thor Ulm Ves Vor Wald Wes Yar Zel Zim",
	ending:
		"ado aker and ard ari back berg bury dale den dottir elli ema enko er esco feld ford gard hart hoff ian ic ina ini kamp lund mann meyer mond nes off ova quist sen ski son stein strom wick",
	town: "Aachen Bergen Coimbra Dresden Esbjerg Ferrara Ghent Haarlem Innsbruck Jena Krakow Leuven Malmo Nantes Odense Parma Rostock Salzburg Tartu Uppsala Vilnius Wroclaw York Zagreb",
	trade:
		"architect baker carpenter dentist editor florist geologist historian interpreter jeweller librarian mechanic nurse optician plumber surveyor teacher translator violinist welder",
	thing:
		"anchor barometer bicycle blanket bookcase camera candlestick carpet chessboard compass cradle dictionary easel engine filter gearbox guitar hammock inverter kettle ladder lantern loom microscope mirror notebook oven pump radiator saddle sail scanner sewing-machine telescope tent thermostat tripod turbine umbrella valve wardrobe wheelbarrow",
	quality:
		"amber battered borrowed brass bright broken ceramic coastal copper crooked dusty electric faded folding foreign fragile green heavy hollow iron late linen loose narrow northern oak old paper patient plain quiet rusty second-hand silent silver spare steep tall velvet wooden yellow",
	deed: "repaired sold ordered measured painted returned photographed cleaned described replaced tested packed inspected insured rented catalogued",
	matter:
		"budget calendar catalogue concert contract delivery drainage exhibition excursion festival garden harbour heating insurance inventory kitchen lecture lighting orchard parking permit roof schedule survey timetable translation vaccination warranty website workshop",
	month: "January February March April May June July August September October November December",
	weekday: "Monday Tuesday Wednesday Thursday Friday Saturday",
	food: "almonds apricots barley beetroot buckwheat cardamom chestnuts cinnamon dumplings figs ginger herring lentils mushrooms olives paprika pears rhubarb saffron walnuts",
} as const;

type List = keyof typeof lists;
type Words = Readonly<Record<List, readonly string[]>>;

const words = Object.fromEntries(Object.entries(lists).map(([name, text]) => [name, text.split(" ")])) as unknown as Words;

/**
 * `{list}` stands for one of its words, `{n}` for a number; `{who}` is the person the note is about. Surnames, codes and
 * numbers come in thousands, so that beside common words there are rare ones, as in any language.
 */
const sentences = [
	"{who} lives in {town} and works as a {trade}.",
	"{who} moved from {town} to {town} in {month} {year}.",
	"{who}'s birthday is on {month} {day}.",
	"{who} prefers {food} to {food} and never eats {food}.",
	"On {weekday} {first} {surname} {deed} the {quality} {thing} that stood beside the {quality} {thing}.",
	"The {matter} for the {quality} {matter} was moved to {weekday}, {month} {day}, because the {thing} had not arrived.",
	"We agreed with {first} {surname} from {town} that the {matter} costs {n} euros, with {n} more for the {quality} {thing}.",
	"Nobody has {deed} the {thing} since {month}; {first} thinks the {quality} {thing} would do as well.",
	"The code of the {matter} is {code}, and the {thing} with the number {n} belongs to it.",
	"After the {matter} in {town} they {deed} {n} of the {n} {quality} boxes and left the rest to {first}.",
	"{who} plans to finish the {matter} by {month} {day} and asked the {trade} for a {quality} {thing}.",
	"It was raining in {town}, the {quality} {thing} was {quality} and {quality}, and yet the {matter} went well.",
	"Please remember that {first} is allergic to {food} when the {matter} is planned.",
	"The {trade} said: keep the {thing} away from the {thing}, it was {deed} only in {month}.",
] as const;

const questions = [
	"where does {first} {surname} live",
	"who {deed} the {quality} {thing}",
	"what does the {matter} cost in {town}",
	"{first} allergic {food}",
	"when was the {quality} {matter} moved to {weekday}",
	"{trade} {thing} {month}",
	"code of the {matter}",
	"which boxes were {deed} after the {matter} in {town}",
] as const;

export function createWriter(seed: number): Writer {
	const random = chance(seed);
	const pick = <Item>(from: readonly Item[]): Item => from[Math.floor(random() * from.length)] as Item;
	let written = 0;

	const surname = () => `${pick(words.onset)}${pick(words.ending)}`;

	function fill(template: string, who: string): string {
		return template.replaceAll(/\{(\w+)\}/g, (_, slot: string) => {
			if (slot === "who") return who;
			if (slot === "surname") return surname();
			if (slot === "n") return String(Math.floor(2 + random() * 900));
			if (slot === "day") return String(Math.floor(1 + random() * 28));
			if (slot === "year") return String(Math.floor(1990 + random() * 35));
			if (slot === "code") return Math.floor(36 ** 4 + random() * 35 * 36 ** 4).toString(36);
			return pick(words[slot as List]);
		});
	}

	return {
		note() {
			const who = `${pick(words.first)} ${surname()}`;
			let content = "";
			for (let sentence = fill(pick(sentences), who); content.length + sentence.length < charactersMax; sentence = fill(pick(sentences), who)) {
				// A paragraph every few sentences, as in a note that was written over a day.
				content += `${gap(content, random())}${sentence}`;
			}
			written += 1;
			return {
				content,
				customId: `note-${seed}-${written}`,
				containerTag: `bench-${written % containers}`,
				metadata: { topic: pick(words.matter), year: Math.floor(1990 + random() * 35) },
			};
		},
		question: () => fill(pick(questions), ""),
		containerTag: () => `bench-${Math.floor(random() * containers)}`,
	};
}

/** The sentences of notes, one by one. */
export function createSentences(seed: number): () => string {
	const writer = createWriter(seed);
	const left: string[] = [];
	return () => {
		if (left.length === 0) left.push(...writer.note().content.split(/(?<=\.)\s+/));
		return left.pop() ?? "";
	};
}

function gap(before: string, chance: number): string {
	if (before === "") return "";
	return chance < 0.2 ? "\n\n" : " ";
}

/** Mulberry32: small, and the same everywhere. */
function chance(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}
