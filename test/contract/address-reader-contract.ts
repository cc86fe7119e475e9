/** What every address reader promises, tried on one address of its own and a service that answers well, badly or not at all. */

import { type AddressReader, type AddressReading, type Fetched, fail, type GuardedFetch, limits, ServiceError, type Step } from "cairn-memory";
import { documentTypes } from "cairn-memory/stores";
import { type ContractTest, demand } from "./contract-test.ts";
import { quietStep } from "./quiet-host.ts";

export interface AddressScene {
	/** An address of its own. */
	readonly address: string;
	/** What must stand in its extraction; empty where it answers bytes. */
	readonly words: readonly string[];
	/** Addresses that look like its own and are not. */
	readonly strange: readonly string[];
	/** The service, answering well. */
	readonly fetch: GuardedFetch;
	/** A fresh reader whose way out is this one. */
	readonly start: (fetch: GuardedFetch) => Promise<AddressReader>;
}

/** No reader may claim these: what is behind them stands there itself. */
const nobodys = ["https://example.com/", "http://127.0.0.1/", "https://example.com/a/page.html?v=1#top", "https://[::1]:8080/x"];
/** Longer than a reader that listens takes to hear. */
const hearingMs = 2_000;

export function addressReaderContract(scene: AddressScene): readonly ContractTest[] {
	const { start, fetch } = scene;
	const own = new URL(scene.address);
	const read = async (way: GuardedFetch, step: Step = quietStep()) => (await start(way)).read(own, step);
	return [
		{
			name: "an address reader has a name",
			check: async () => demand((await start(fetch)).name.trim() !== "", "its name is blank"),
		},
		{
			name: "its own addresses are recognized without asking anybody",
			check: async () => {
				let asked = 0;
				const { recognizes } = await start(async (address, options) => {
					asked++;
					return await fetch(address, options);
				});
				demand(recognizes(own), `it does not recognize ${scene.address}`);
				for (const strange of [...nobodys, ...scene.strange]) demand(!recognizes(new URL(strange)), `it claims ${strange}`);
				demand(asked === 0, "it asked the service");
			},
		},
		{ name: "its own address is read", check: async () => checkReading(await read(fetch), scene.words) },
		{
			name: "the same answers give the same reading",
			check: async () => {
				const [once, again] = [await read(fetch), await read(fetch)];
				demand(JSON.stringify(once) === JSON.stringify(again), "it was read in two ways");
			},
		},
		{
			name: "whatever it asks is bounded",
			check: async () => {
				await read((address, options) => {
					demand(options.bytesMax <= limits.fetchedBytesMax, `it would take ${options.bytesMax} bytes`);
					demand(options.timeoutMs <= limits.fetchTimeoutMs, `it would wait ${options.timeoutMs} ms`);
					return fetch(address, options);
				});
			},
		},
		{ name: "a busy service may be asked again, or the address is left to be read as a page", check: () => checkBusy(read) },
		...badAnswers.map(({ name, text, type }) => ({
			name: `${name} is never read as content`,
			check: async () => checkRefused(await outcomeOf(read(async (address) => answer(address, text, type))), name),
		})),
		{ name: "it stops when it is told to", check: () => checkStop(read) },
	];
}

const badAnswers = [
	{ name: "an empty answer", text: "", type: "application/json" },
	{ name: "a web page in place of data", text: "<!DOCTYPE html><html><body><p>We are updating.</p></body></html>", type: "text/html" },
	{ name: "data of another shape", text: '{"version":2,"result":[]}', type: "application/json" },
] as const;

function checkReading(reading: AddressReading | null, words: readonly string[]): void {
	demand(reading !== null, "it leaves its own address to others");
	const about = reading.kind === "bytes" ? reading.known.about : reading.extraction.about;
	const type = reading.kind === "bytes" ? reading.known.type : reading.extraction.type;
	demand(type === undefined || documentTypes.includes(type), `its type is ${type}`);
	demand(about?.canonical === undefined || URL.canParse(about.canonical), `its canonical address is ${about?.canonical}`);
	demand(about?.publishedAt === undefined || !Number.isNaN(Date.parse(about.publishedAt)), `it came out on ${about?.publishedAt}`);
	if (reading.kind === "bytes") {
		demand(reading.content.bytes.byteLength > 0, "there are no bytes");
		return;
	}
	const { blocks, text, title } = reading.extraction;
	demand(
		blocks.some((block) => block.text.trim() !== ""),
		"no block says anything",
	);
	demand(title === null || title.trim() !== "", "its title is blank");
	for (const word of words) demand(text.includes(word), `"${word}" is missing`);
	for (const { place, text: said } of blocks) {
		const [begin, end] = place.span ?? [-1, -1];
		demand(begin >= 0 && end <= text.length && begin < end, `the block "${said.slice(0, 60)}" does not know where it stands`);
	}
}

async function checkBusy(read: (way: GuardedFetch) => Promise<AddressReading | null>): Promise<void> {
	const outcome = await outcomeOf(
		read(async (address) => {
			throw fail("ADDRESS_FAILED", address, "it answered with status 429").notBefore(1_000);
		}),
	);
	demand(outcome === null || (outcome instanceof ServiceError && outcome.mayPass), `it ended with ${String(outcome)}`);
}

/** Bytes are judged by the extractors: a file may well be a web page. */
function checkRefused(outcome: AddressReading | null | unknown, name: string): void {
	if (outcome === null || (outcome instanceof ServiceError && !outcome.mayPass && outcome.hint !== null)) return;
	demand(isReading(outcome) && outcome.kind === "bytes", `${name} ended with ${String(outcome)}`);
}

async function checkStop(read: (way: GuardedFetch, step: Step) => Promise<unknown>): Promise<void> {
	const stopping = new AbortController();
	const hanging: GuardedFetch = (_address, { signal }) =>
		new Promise((_resolve, reject) => {
			if (signal.aborted) reject(signal.reason);
			signal.addEventListener("abort", () => reject(signal.reason), { once: true });
		});
	const reading = outcomeOf(read(hanging, { ...quietStep(), signal: stopping.signal }));
	stopping.abort(new Error("enough"));
	const { promise: late, resolve } = Promise.withResolvers<"late">();
	const timer = setTimeout(() => resolve("late"), hearingMs);
	const outcome = await Promise.race([reading, late]);
	clearTimeout(timer);
	demand(outcome !== "late", "it goes on");
	demand(outcome instanceof Error && outcome.message === "enough", "it takes being stopped for an answer");
}

/** What came of it, or what was thrown. */
async function outcomeOf(reading: Promise<unknown>): Promise<unknown> {
	return await reading.catch((thrown: unknown) => thrown);
}

function isReading(value: unknown): value is AddressReading {
	return typeof value === "object" && value !== null && "kind" in value;
}

function answer(address: string, text: string, claimedMediaType: Fetched["claimedMediaType"]): Fetched {
	const bytes = new TextEncoder().encode(text);
	return { address: new URL(address), status: 200, headers: new Map(), claimedMediaType, charset: "utf-8", fileName: null, bytes };
}
