/** Who reads an address: a reader that knows it, before or after redirects, else the extractors. */

import { describe, expect, test } from "bun:test";
import { type AddressReader, type AddressReading, type Extraction, type ExtractorSource, type Fetched, fail } from "cairn-memory";
import { readAddress } from "../../../core/ingest/read-address.ts";
import { createStep } from "../../doubles/step.ts";

const extractionOf = (text: string): Extraction => ({
	...{ text, blocks: [{ kind: "paragraph", text, headings: [], place: {} }], title: "found", description: null, language: "en", type: "webpage" },
	about: { author: "Ada", siteName: "Site" },
});
const read = async (source: ExtractorSource) => extractionOf(`${source.mediaType} ${source.address} ${new TextDecoder().decode(await source.bytes())}`);

function site(redirects: Readonly<Record<string, string>> = {}) {
	const asked: string[] = [];
	const fetch = async (address: string): Promise<Fetched> => {
		asked.push(address);
		const reached = new URL(redirects[address] ?? address);
		const bytes = new TextEncoder().encode("page");
		return { address: reached, status: 200, headers: new Map(), claimedMediaType: "text/html", charset: null, fileName: null, bytes };
	};
	return { asked, fetch };
}

const reader = (host: string, reading: AddressReading | null): AddressReader => ({
	name: host,
	recognizes: (address) => address.host === host,
	read: async () => reading,
});
const known = (text: string): AddressReading => ({ kind: "extraction", extraction: extractionOf(text) });
const mediaTypes = {
	ofBytes: async (_: Uint8Array, __: string | null, claimed: string | null) => (claimed ?? "text/plain") as "text/html",
	ofText: () => "text/plain" as const,
	nameOf: () => null,
};

async function run(url: string, addressReaders: readonly AddressReader[], redirects?: Readonly<Record<string, string>>) {
	const { asked, fetch } = site(redirects);
	const found = await readAddress(url, { addressReaders, mediaTypes, fetch }, read, createStep());
	return { asked, found };
}

test("what nobody knows is fetched and read as it is", async () => {
	const { asked, found } = await run("https://a.example/page", [reader("b.example", known("no"))]);
	expect(asked).toEqual(["https://a.example/page"]);
	expect(found).toMatchObject({ mediaType: "text/html", extraction: { text: "text/html https://a.example/page page" } });
});

test("the first reader that recognizes it and has an answer reads it, and nothing is fetched", async () => {
	const { asked, found } = await run("https://a.example/1", [reader("b.example", known("b")), reader("a.example", null), reader("a.example", known("yes"))]);
	expect([asked, found.extraction.text]).toEqual([[], "yes"]);
});

test("a short link is read by who knows where it leads", async () => {
	const { found } = await run("https://short.example/x", [reader("a.example", known("yes"))], { "https://short.example/x": "https://a.example/1" });
	expect(found.extraction.text).toBe("yes");
});

test("where redirects have led is its own address, unless it names another", async () => {
	const to = { "https://a.example/old": "https://a.example/new" };
	const { found } = await run("https://a.example/old", [], to);
	expect(found.extraction.about).toEqual({ author: "Ada", siteName: "Site", canonical: "https://a.example/new" });
	const naming = async () => ({ ...extractionOf("x"), about: { canonical: "https://a.example/named" } });
	const named = await readAddress("https://a.example/old", { addressReaders: [], mediaTypes, fetch: site(to).fetch }, naming, createStep());
	expect(named.extraction.about?.canonical).toBe("https://a.example/named");
	expect((await run("https://a.example/new", [])).found.extraction.about?.canonical).toBeUndefined();
});

test("a signature that redirects have led to is shown to nobody; what the page names is kept whole", async () => {
	const to = { "https://a.example/file": "https://ada:pass@bucket.example/plan.pdf?X-Amz-Signature=abc&X-Amz-Expires=60#page=2" };
	const { found } = await run("https://a.example/file", [], to);
	expect(found.extraction.about?.canonical).toBe("https://bucket.example/plan.pdf");
	const naming = async () => ({ ...extractionOf("x"), about: { canonical: "https://a.example/watch?v=7" } });
	const named = await readAddress("https://a.example/file", { addressReaders: [], mediaTypes, fetch: site(to).fetch }, naming, createStep());
	expect(named.extraction.about?.canonical).toBe("https://a.example/watch?v=7");
});

test("bytes go to the extractors, and what the reader knows of them counts more", async () => {
	const content = { bytes: new TextEncoder().encode("sheet"), fileName: "plan.csv", claimedMediaType: "text/csv" as const, charset: null };
	const reading: AddressReading = { kind: "bytes", content, known: { type: "google_sheet", title: "Plan", about: { author: "Ben" } } };
	const { found } = await run("https://a.example/sheet", [reader("a.example", reading)]);
	expect(found).toMatchObject({
		mediaType: "text/csv",
		extraction: {
			text: "text/csv https://a.example/sheet sheet",
			type: "google_sheet",
			title: "Plan",
			language: "en",
			about: { author: "Ben", siteName: "Site" },
		},
	});
});

test("a page without words says that scripts draw it; an empty file stays an empty file", async () => {
	const nothing = async () => {
		throw fail("CONTENT_EMPTY");
	};
	const outcome = (claimed: "text/html" | "text/plain") => {
		const types = { ...mediaTypes, ofBytes: async () => claimed };
		return readAddress("https://a.example/app?token=1", { addressReaders: [], mediaTypes: types, fetch: site().fetch }, nothing, createStep());
	};
	await expect(outcome("text/html")).rejects.toMatchObject({
		code: "ADDRESS_EMPTY",
		message: "the page at https://a.example/app contains no text: its scripts render it in the browser",
	});
	await expect(outcome("text/plain")).rejects.toMatchObject({ code: "CONTENT_EMPTY" });
});

describe("a way that does not lead to the content", () => {
	const code = async (url: string, to: string) =>
		run(url, [], { [url]: to }).then(
			() => "read",
			({ code }: { readonly code: string }) => code,
		);

	test.each([
		["https://docs.example/d/1", "https://accounts.example/ServiceLogin?continue=x", "ADDRESS_PRIVATE"],
		["https://video.example/watch", "https://consent.example/m?continue=x", "ADDRESS_CONSENT"],
		["https://accounts.example/help", "https://accounts.example/help/", "read"],
		["https://a.example/", "https://www.a.example/", "read"],
	])("%s → %s", async (url, to, outcome) => {
		expect(await code(url, to)).toBe(outcome);
	});
});
