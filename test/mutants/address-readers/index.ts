/** Address readers that break one promise each, and the contract tests that must notice. */

import { type AddressReader, type AddressReading, type Extraction, type Fetched, fail, type GuardedFetch, ServiceError, type Step } from "cairn-memory";
import { completeExtraction } from "cairn-memory/words";
import type { AddressScene } from "../../contract/address-reader-contract.ts";

const own = "https://notes.example/n/1";

export interface AddressMutant {
	readonly name: string;
	readonly contractTests: readonly string[];
	readonly scene: AddressScene;
}

/** A service of notes that answers `{ "note": "…" }`. */
const service: GuardedFetch = async (address): Promise<Fetched> => ({
	...{ address: new URL(address), status: 200, headers: new Map(), claimedMediaType: "application/json", charset: null, fileName: null },
	bytes: new TextEncoder().encode('{"note":"The lamp is lit."}'),
});

const bounds = ({ signal }: Step) => ({ signal, bytesMax: 100_000, timeoutMs: 5_000 });
const textOf = ({ bytes }: Fetched) => new TextDecoder().decode(bytes);

function extractionOf(note: string): Extraction {
	const blocks = [{ kind: "paragraph" as const, text: note, headings: [], place: {} }];
	return completeExtraction({ blocks, titles: ["Note"], type: "webpage", about: { canonical: own, publishedAt: "2024-05-01" } });
}

function noteIn(fetched: Fetched): string {
	try {
		const read: unknown = JSON.parse(textOf(fetched));
		if (typeof read === "object" && read !== null && "note" in read && typeof read.note === "string") return read.note;
	} catch {
		// Said below.
	}
	throw fail("ADDRESS_CHANGED", "notes.example", "there is no note");
}

function goodReader(fetch: GuardedFetch): AddressReader {
	return {
		name: "notes",
		recognizes: (address) => address.href.startsWith("https://notes.example/n/"),
		read: async (address, step) => ({ kind: "extraction", extraction: extractionOf(noteIn(await fetch(address.href, bounds(step)))) }),
	};
}

export function goodScene(change: (reader: AddressReader, fetch: GuardedFetch) => Partial<AddressReader> = () => ({})): AddressScene {
	return {
		...{ address: own, words: ["lamp"], strange: ["https://notes.example/about"], fetch: service },
		start: async (fetch) => {
			const reader = goodReader(fetch);
			return { ...reader, ...change(reader, fetch) };
		},
	};
}

export function addressReaderMutants(): readonly AddressMutant[] {
	const mutant = (name: string, contractTest: string, change: Parameters<typeof goodScene>[0]): AddressMutant => ({
		name,
		contractTests: [contractTest],
		scene: goodScene(change),
	});
	const reading = (
		name: string,
		contractTest: string,
		read: (text: string, step: Step, original: () => Promise<AddressReading | null>) => Promise<AddressReading | null>,
	) =>
		mutant(name, contractTest, (reader, fetch) => ({
			read: async (address, step) => await read(textOf(await fetch(address.href, bounds(step))), step, () => reader.read(address, step)),
		}));
	let times = 0;
	return [
		mutant("nameless", "an address reader has a name", () => ({ name: " " })),
		mutant("claims all there is", "its own addresses are recognized without asking anybody", () => ({ recognizes: () => true })),
		mutant("knows nothing", "its own addresses are recognized without asking anybody", () => ({ recognizes: () => false })),
		mutant("asks before it knows", "its own addresses are recognized without asking anybody", (reader, fetch) => ({
			recognizes: (address) => {
				void fetch(address.href, { signal: new AbortController().signal, bytesMax: 1, timeoutMs: 1 });
				return reader.recognizes(address);
			},
		})),
		mutant("leaves it to others", "its own address is read", () => ({ read: async () => null })),
		reading("says nothing", "its own address is read", async (_, __, original) => {
			const read = await original();
			return read?.kind === "extraction" ? { ...read, extraction: { ...read.extraction, blocks: [], text: "" } } : read;
		}),
		reading("counts as it goes", "the same answers give the same reading", async () => ({
			kind: "extraction",
			extraction: extractionOf(`The lamp is lit ${times++}`),
		})),
		mutant("takes whatever comes", "whatever it asks is bounded", (_, fetch) => ({
			read: async (address, step) => ({ kind: "extraction", extraction: extractionOf(noteIn(await fetch(address.href, { ...bounds(step), bytesMax: 1e12 }))) }),
		})),
		mutant("takes busy for gone", "a busy service may be asked again, or the address is left to be read as a page", (reader) => ({
			read: (address, step) =>
				reader.read(address, step).catch((thrown: unknown) => {
					throw thrown instanceof ServiceError && thrown.mayPass ? fail("ADDRESS_GONE", own, "no answer") : thrown;
				}),
		})),
		reading("reads nothing as a note", "an empty answer is never read as content", async (text, _, original) =>
			text === "" ? { kind: "extraction", extraction: extractionOf("nothing") } : await original(),
		),
		reading("reads pages as notes", "a web page in place of data is never read as content", async (text, _, original) =>
			text.startsWith("<") ? { kind: "extraction", extraction: extractionOf(text) } : await original(),
		),
		reading("reads any data as notes", "data of another shape is never read as content", async (text, _, original) =>
			text.includes("version") ? { kind: "extraction", extraction: extractionOf(text) } : await original(),
		),
		mutant("is deaf", "it stops when it is told to", (_, fetch) => ({
			read: async (address) => ({
				kind: "extraction",
				extraction: extractionOf(noteIn(await fetch(address.href, { ...bounds({ signal: new AbortController().signal } as Step) }))),
			}),
		})),
		mutant("takes being stopped for no answer", "it stops when it is told to", (reader) => ({
			read: (address, step) => reader.read(address, step).catch(() => null),
		})),
	];
}
