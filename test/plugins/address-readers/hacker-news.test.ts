/** Hacker News: a story with its answers, a single comment, and every way in which there is none. */

import { afterAll, expect, test } from "bun:test";
import hackerNews from "../../../plugins/address-readers/hacker-news.ts";
import { comment, story, unknownItem } from "../../doubles/address-services/hacker-news.ts";
import { busy, empty, extractionWith, page, readerOf, refusalWith, startServicePeer } from "../../doubles/address-services/service-peer.ts";

const peer = startServicePeer();
afterAll(peer.close);
const plugin = hackerNews({ api: `${peer.origin}/` });
const address = "https://news.ycombinator.com/item?id=8863";
const path = "/api/v1/items/8863";
const read = async (answer: unknown) => {
	peer.answers = { [path]: answer };
	return await extractionWith(plugin, address, peer);
};
const refused = async (answer: unknown) => {
	peer.answers = { [path]: answer };
	return await refusalWith(plugin, address, peer);
};

test("a story with its answers reads as a thread", async () => {
	const { text, title, about, type, description } = await read(story());
	expect({ title, type, about }).toEqual({
		title: "Show HN: A notebook for storms & tides",
		type: "webpage",
		about: { author: "keeper", siteName: "Hacker News", canonical: address, publishedAt: "2007-04-04T19:16:40.000Z" },
	});
	expect(description).toBe(title);
	expect(text).toBe(
		[
			"# Show HN: A notebook for storms & tides",
			"## keeper, 2007-04-04 19:16 UTC",
			"[https://harbour.example/notebook](https://harbour.example/notebook)",
			"### ben, 2007-04-04 20:01 UTC",
			"**ben:** Does it keep the *wind* too?",
			"I sail out of Kiel.",
			"#### keeper, 2007-04-04 20:01 UTC",
			"**keeper:** It does / since May.",
		].join("\n\n"),
	);
});

test("a comment is a post of its own, an answer stands below what it answers", async () => {
	const { title, blocks } = await read(comment({ id: 8863, text: "The lamp was moved.", children: [comment({ text: "When?" })] }));
	expect(title).toBe("Post by ben: The lamp was moved.");
	expect(blocks.at(-1)).toMatchObject({ text: "**ben:** When?", headings: ["ben, 2007-04-04 20:01 UTC", "ben, 2007-04-04 20:01 UTC"] });
});

test("a poll shows what could be chosen; one answer that is odd costs no other", async () => {
	const { text } = await read(
		story({ url: null, text: "Which lamp?", options: [{ text: "The old one" }, { text: null }], children: [{ id: "odd" }, comment({ text: "The old one!" })] }),
	);
	expect(text).toContain("- The old one");
	expect(text).toContain("**ben:** The old one!");
});

test("what is not there, deleted, changed, empty or busy fails in words of its own", async () => {
	expect(await refused(Response.json(unknownItem, { status: 404 }))).toMatchObject({ code: "ADDRESS_GONE" });
	expect(await refused(comment({ author: null, text: null }))).toMatchObject({ code: "ADDRESS_GONE", message: expect.stringContaining("deleted") });
	expect(await refused({ hits: [] })).toMatchObject({ code: "ADDRESS_CHANGED", message: expect.stringContaining("id: "), mayPass: false });
	expect(await refused({})).toMatchObject({ code: "ADDRESS_CHANGED" });
	expect(await refused(empty())).toMatchObject({
		code: "ADDRESS_CHANGED",
		message: expect.stringContaining("empty"),
		hint: expect.stringContaining("newer version"),
	});
	expect(await refused(page("<p>down</p>"))).toMatchObject({ code: "ADDRESS_CHANGED", message: expect.stringContaining("web page") });
	expect(await refused(busy())).toMatchObject({ code: "ADDRESS_FAILED", mayPass: true, earliestRetryMs: 30_000 });
	expect(await refused(page("no", 403))).toMatchObject({ code: "ADDRESS_REFUSED" });
});

test("only items are recognized", async () => {
	const { recognizes } = await readerOf(plugin, peer);
	const known = ["https://news.ycombinator.com/item?id=1", "https://news.ycombinator.com/item?id=1#2"];
	const others = [
		"https://news.ycombinator.com/",
		"https://news.ycombinator.com/item?id=a",
		"https://news.ycombinator.com/user?id=1",
		"https://a.example/item?id=1",
	];
	expect([...known, ...others].filter((each) => recognizes(new URL(each)))).toEqual(known);
});
