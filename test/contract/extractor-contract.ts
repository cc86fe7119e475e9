/** What every extractor promises, whatever it reads. */

import { type Block, type Extraction, type Extractor, type ExtractorSource, type MediaType, type Place, ServiceError, type Step } from "cairn-memory";
import { type ContractTest, demand } from "./contract-test.ts";

/** A document the extractor reads, and what a person sees in it. */
export interface ExtractorSample {
	readonly bytes: Uint8Array;
	readonly mediaType: MediaType;
	readonly fileName: string;
	/**
	 * All words that the extractor shows, in reading order, those it adds itself included, such as the label of a field: what is
	 * not among them counts as invented. A string may hold many words.
	 */
	readonly words: readonly string[];
	/** The texts of the headings, if it has any. */
	readonly headings?: readonly string[];
}

export interface ExtractorContractOptions {
	/** How many damaged copies of each sample are tried: more find more, each costs one reading. */
	readonly damagedCopies?: number;
	/** Longer is a hang. */
	readonly readingMsMax?: number;
}

/** The share of a sample's words that must be found: OCR may misread one in fifty. */
const wordShareMin = 0.98;
const stopMsMax = 1_000;

/** @param start makes a fresh extractor; it is called once for each contract test that reads anew. What is only looked at is read once. */
export function extractorContract(
	start: () => Promise<Extractor>,
	samples: readonly ExtractorSample[],
	{ damagedCopies = 12, readingMsMax = 60_000 }: ExtractorContractOptions = {},
): readonly ContractTest[] {
	const contractTest = (name: string, check: (extractor: Extractor) => Promise<void>): ContractTest => ({ name, check: async () => check(await start()) });
	const each = (name: string, check: (extractor: Extractor, sample: ExtractorSample) => Promise<void>): ContractTest =>
		contractTest(name, async (extractor) => {
			for (const sample of samples) await check(extractor, sample);
		});
	const readings = new Map<ExtractorSample, Promise<Extraction>>();
	const readOnce = (sample: ExtractorSample) => readings.get(sample) ?? start().then((extractor) => read(extractor, sample));
	const extraction = (name: string, check: (found: Extraction, sample: ExtractorSample) => void): ContractTest => ({
		name,
		check: async () => {
			for (const sample of samples) {
				readings.set(sample, readOnce(sample));
				check(await readOnce(sample), sample);
			}
		},
	});

	return [
		contractTest("an extractor has a name and says what it accepts", async ({ name, accepts }) => {
			demand(name.trim() !== "", "its name is blank");
			demand(accepts.length > 0, `${name} accepts nothing`);
			demand(new Set(accepts).size === accepts.length, `${name} names a media type twice`);
			for (const sample of samples)
				demand(
					accepts.some((pattern) => covers(pattern, sample.mediaType)),
					`${name} does not accept ${sample.mediaType} of its own sample`,
				);
		}),
		contractTest("the file signatures of an extractor match its samples", async ({ name, accepts, signatures = [] }) => {
			for (const signature of signatures) {
				const { mediaType, extensions = [], magicBytes } = signature;
				demand(
					accepts.some((pattern) => covers(pattern, mediaType)),
					`${name} has a signature for ${mediaType}, and does not accept it`,
				);
				demand(Object.keys(signature).length > 1, `${name} has an empty signature for ${mediaType}`);
				demand(signature.container !== mediaType, `${name} declares ${mediaType} as the container of itself`);
				for (const extension of extensions) demand(/^[a-z0-9]{1,10}$/.test(extension), `"${extension}" is no file extension in lower case without its dot`);
				for (const beginning of magicBytes ?? []) demand(beginning.length > 0, `${name} declares empty magic bytes for ${mediaType}`);
			}
			for (const { fileName, mediaType, bytes } of samples) {
				const begins = signatures.filter((signature) => signature.mediaType === mediaType).map((signature) => signature.magicBytes);
				const fits = begins.length === 0 || begins.some((all) => all === undefined || all.some((one) => one.every((byte, at) => bytes[at] === byte)));
				demand(fits, `${fileName} does not begin with the magic bytes that ${name} declares for ${mediaType}`);
			}
		}),
		contractTest("an extractor does not claim what it does not accept", async ({ name, accepts, recognizes }) => {
			const strange = "application/x-cairn-unheard-of";
			demand(!accepts.some((pattern) => covers(pattern, strange)), `${name} claims every media type`);
			const source = sourceOf(new Uint8Array([1, 2, 3]), { mediaType: strange, fileName: "strange.bin" });
			demand(recognizes === undefined || !recognizes(source), `${name} recognizes a type nobody has heard of`);
		}),
		each("the same bytes give the same blocks", async (extractor, sample) => {
			const [once, again] = [await read(extractor, sample), await read(extractor, sample)];
			demand(JSON.stringify(once) === JSON.stringify(again), `${sample.fileName} was read in two ways`);
		}),
		extraction("a sample's words are found", checkWords),
		extraction("a sample's headings are found", checkHeadings),
		extraction("nothing is invented", checkNothingInvented),
		extraction("places never go backwards", ({ blocks }, { fileName }) => checkOrder(blocks, fileName)),
		extraction("spans point at the words of their block", (found, { fileName }) => checkSpans(found, fileName)),
		extraction("a title is null or says something", ({ title, description, language }, sample) => {
			for (const fact of [title, description, language])
				demand(fact === null || fact.trim() !== "", `${sample.fileName} has a blank title, description or language`);
		}),
		each("no bytes are unreadable, not an error of another kind", async (extractor, sample) => {
			const outcome = await readDamaged(extractor, { ...sample, bytes: new Uint8Array() }, readingMsMax);
			demand(outcome === "refused", "no bytes at all were read as a document");
		}),
		each("cut bytes are unreadable or read in part", async (extractor, sample) => {
			for (const bytes of cutCopies(sample.bytes, damagedCopies)) await readDamaged(extractor, { ...sample, bytes }, readingMsMax);
		}),
		each("damaged bytes are unreadable or read in part", async (extractor, sample) => {
			for (const bytes of flippedCopies(sample.bytes, damagedCopies)) await readDamaged(extractor, { ...sample, bytes }, readingMsMax);
		}),
		each("an extractor stops within a second of its signal", checkStop),
	];
}

function checkWords({ text }: Extraction, sample: ExtractorSample): void {
	const left = counted(wordsOf(text));
	const wanted = sample.words.flatMap((word) => wordsOf(word));
	const missing = wanted.filter((word) => !take(left, word));
	const share = 1 - missing.length / Math.max(1, wanted.length);
	demand(
		share >= wordShareMin,
		`of ${sample.fileName} only ${Math.floor(share * 100)} % of the words were found; missing are ${missing.slice(0, 5).join(", ")}`,
	);
}

function checkHeadings({ blocks }: Extraction, sample: ExtractorSample): void {
	const found = new Set(blocks.filter((block) => block.kind === "heading").map((block) => wordsOf(block.text).join(" ")));
	for (const heading of sample.headings ?? []) demand(found.has(wordsOf(heading).join(" ")), `the heading "${heading}" of ${sample.fileName} was not found`);
}

/** Words that stand nowhere in the sample: OCR may misread one in fifty, nothing else may add any. */
function checkNothingInvented({ blocks }: Extraction, sample: ExtractorSample): void {
	const known = new Set(sample.words.flatMap((word) => wordsOf(word)));
	const said = blocks.flatMap((block) => wordsOf(block.text));
	const invented = said.filter((word) => !known.has(word));
	demand(
		invented.length <= said.length * (1 - wordShareMin),
		`the words of the sample ${sample.fileName}, which have to be all that it shows, lack ${invented.slice(0, 5).join(", ")}`,
	);
}

function checkOrder(blocks: readonly Block[], fileName: string): void {
	let last: Place = {};
	for (const { place } of blocks) {
		demand((place.page ?? last.page ?? 1) >= (last.page ?? 1), `${fileName} goes back from page ${last.page} to ${place.page}`);
		demand((place.slide ?? last.slide ?? 1) >= (last.slide ?? 1), `${fileName} goes back from slide ${last.slide} to ${place.slide}`);
		const isSameSheet = place.sheet === last.sheet;
		demand(!isSameSheet || (place.row ?? last.row ?? 1) >= (last.row ?? 1), `${fileName} goes back from row ${last.row} to ${place.row}`);
		demand((place.seconds?.[0] ?? last.seconds?.[0] ?? 0) >= (last.seconds?.[0] ?? 0), `${fileName} goes back in time to second ${place.seconds?.[0]}`);
		demand((place.span?.[0] ?? last.span?.[1] ?? 0) >= (last.span?.[1] ?? 0), `a span of ${fileName} begins before the last one ends`);
		for (const [begin, end] of [place.seconds, place.span].filter((range) => range !== undefined))
			demand(begin <= end, `a place of ${fileName} ends before it begins`);
		last = isSameSheet ? { ...last, ...place } : place;
	}
}

function checkSpans({ blocks, text }: Extraction, fileName: string): void {
	for (const block of blocks) {
		const { span } = block.place;
		demand(span !== undefined, `a block of ${fileName} has no span`);
		const [begin, end] = span;
		demand(begin >= 0 && end <= text.length, `a span of ${fileName} lies outside its text`);
		// In a table the text repeats the names of the columns, which stand above.
		// Marks may stand inside a word and addresses behind it, so letters are compared, not words.
		const letters = wordsOf(block.kind === "row" ? block.cells.join(" ") : block.text).join("");
		const there = wordsOf(text.slice(begin, end)).join("");
		demand(isSubsequence(letters, there), `the span ${begin}–${end} of ${fileName} does not hold "${block.text.slice(0, 60)}"`);
	}
}

/** Aborted at once, and again after a while, when the reading is under way. */
async function checkStop(extractor: Extractor, sample: ExtractorSample): Promise<void> {
	for (const afterMs of [0, 5]) {
		const controller = new AbortController();
		const reading = extractor.extract(sourceOf(sample.bytes, sample), stepWith(controller.signal)).then(
			() => "read",
			() => "stopped",
		);
		setTimeout(() => controller.abort(new Error("enough")), afterMs);
		demand(
			(await within(reading, afterMs + stopMsMax)) !== "late",
			`${extractor.name} was still reading ${sample.fileName} a second after it was told to stop`,
		);
	}
}

/** What becomes of damaged bytes. Fails on an error of another kind, a hang, or a crooked extraction. */
async function readDamaged(extractor: Extractor, sample: ExtractorSample, readingMsMax: number): Promise<"refused" | "read"> {
	const reading = await within(
		read(extractor, sample).then(
			(extraction) => ({ extraction }),
			(thrown: unknown) => ({ thrown }),
		),
		readingMsMax,
	);
	demand(reading !== "late", `${extractor.name} hangs on a damaged ${sample.fileName}`);
	if ("thrown" in reading) {
		const { thrown } = reading;
		const isUnreadable = thrown instanceof ServiceError && thrown.kind === "unreadable";
		demand(isUnreadable, `a damaged ${sample.fileName} ended with an error that is not unreadable: ${String(thrown)}`);
		return "refused";
	}
	checkOrder(reading.extraction.blocks, sample.fileName);
	checkSpans(reading.extraction, sample.fileName);
	return "read";
}

function cutCopies(bytes: Uint8Array, count: number): readonly Uint8Array[] {
	return Array.from({ length: count }, (_, index) => bytes.slice(0, Math.floor((bytes.length * (index + 1)) / (count + 1))));
}

/** Every copy has one byte in a hundred changed, and eight at least, at places that are the same in every run. */
function flippedCopies(bytes: Uint8Array, count: number): readonly Uint8Array[] {
	return Array.from({ length: count }, (_, index) => {
		const copy = bytes.slice();
		let state = index + 1;
		for (let flip = 0; flip < Math.max(8, bytes.length / 100); flip++) {
			state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0; // the generator of Numerical Recipes
			const at = state % Math.max(1, bytes.length);
			copy[at] = (copy[at] ?? 0) ^ (((state >>> 16) % 255) + 1);
		}
		return copy;
	});
}

function read(extractor: Extractor, sample: ExtractorSample): Promise<Extraction> {
	return extractor.extract(sourceOf(sample.bytes, sample), stepWith(new AbortController().signal));
}

function sourceOf(bytes: Uint8Array, { mediaType, fileName }: Pick<ExtractorSample, "mediaType" | "fileName">): ExtractorSource {
	return { mediaType, fileName, charset: null, address: null, byteLength: bytes.byteLength, bytes: async () => bytes.slice(), text: null };
}

function stepWith(signal: AbortSignal): Step {
	return { signal, log: () => undefined, warn: () => undefined, progress: () => undefined };
}

async function within<Value>(promise: Promise<Value>, ms: number): Promise<Value | "late"> {
	const { promise: late, resolve } = Promise.withResolvers<"late">();
	const timer = setTimeout(() => resolve("late"), ms);
	try {
		return await Promise.race([promise, late]);
	} finally {
		clearTimeout(timer);
	}
}

function covers(pattern: MediaType, type: MediaType): boolean {
	return pattern === type || pattern === "*/*" || (pattern.endsWith("/*") && type.startsWith(pattern.slice(0, -1)));
}

function wordsOf(text: string): readonly string[] {
	return (
		text
			.normalize("NFKC")
			.toLowerCase()
			.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
	);
}

function counted(words: readonly string[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
	return counts;
}

function take(counts: Map<string, number>, word: string): boolean {
	const count = counts.get(word) ?? 0;
	counts.set(word, count - 1);
	return count > 0;
}

function isSubsequence(letters: string, within: string): boolean {
	let next = 0;
	for (let at = 0; at < within.length && next < letters.length; at++) if (within[at] === letters[next]) next++;
	return next === letters.length;
}
