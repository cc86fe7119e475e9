/** GitHub: the file in place of the page that shows it. */

import { afterAll, expect, test } from "bun:test";
import github from "../../../plugins/address-readers/github.ts";
import { busy, page, readerOf, readWith, refusalWith, startServicePeer } from "../../doubles/address-services/service-peer.ts";

const peer = startServicePeer();
afterAll(peer.close);
const plugin = github({ base: peer.origin, gists: peer.origin });
const plain = (text: string) => new Response(text, { headers: { "content-type": "text/plain; charset=utf-8" } });
const raw = "/harbour/tides/raw/main/docs/READ%20ME.md";
const address = "https://github.com/harbour/tides/blob/main/docs/READ%20ME.md?plain=1#L3";

test("a Markdown file is read from where it lies", async () => {
	const lies = "/lies/harbour/tides/main/docs/READ%20ME.md";
	peer.answers = { [raw]: () => new Response(null, { status: 302, headers: { location: peer.origin + lies } }), [lies]: plain("# Tides") };
	const { reading } = await readWith(plugin, address, peer);
	expect(reading).toMatchObject({
		kind: "bytes",
		content: { bytes: new TextEncoder().encode("# Tides"), fileName: "READ ME.md", claimedMediaType: "text/plain", charset: "utf-8" },
		known: { type: "github_markdown", about: { siteName: "GitHub, harbour/tides", canonical: "https://github.com/harbour/tides/blob/main/docs/READ%20ME.md" } },
	});
});

test("a program keeps its type, a gist names its owner", async () => {
	peer.answers = { "/harbour/tides/raw/feature/x/tides.py": plain("print()"), "/ada/0123456789abcdef0123/raw": plain("note") };
	const program = await readWith(plugin, "https://github.com/harbour/tides/blob/feature/x/tides.py", peer);
	expect(program.reading).toMatchObject({ content: { fileName: "tides.py" }, known: { about: { siteName: "GitHub, harbour/tides" } } });
	expect(program.reading?.kind === "bytes" && "type" in program.reading.known).toBe(false);
	const gist = await readWith(plugin, "https://gist.github.com/ada/0123456789abcdef0123", peer);
	expect(gist.reading).toMatchObject({ known: { about: { siteName: "GitHub Gist, ada" } } });
});

test("what is gone or busy fails in words of its own", async () => {
	const refused = async (answer: unknown) => {
		peer.answers = { [raw]: answer };
		return await refusalWith(plugin, address, peer);
	};
	expect(await refused(page("no", 404))).toMatchObject({ code: "ADDRESS_GONE" });
	expect(await refused(busy())).toMatchObject({ code: "ADDRESS_FAILED", mayPass: true });
});

test("only files are recognized", async () => {
	const { recognizes } = await readerOf(plugin, peer);
	const known = [address, "https://github.com/a/b/blame/main/x.c", "https://gist.github.com/ada/0123456789abcdef0123/0123456789abcdef0123456789abcdef01234567"];
	const others = [
		"https://github.com/a/b",
		"https://github.com/a/b/issues/1",
		"https://github.com/a/b/tree/main/docs",
		"https://gist.github.com/ada",
		"https://a.example/a/b/blob/main/x",
	];
	expect([...known, ...others].filter((each) => recognizes(new URL(each)))).toEqual(known);
});
