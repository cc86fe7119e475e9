/** Reddit: a post with its comments, and every way in which there is none. */

import { afterAll, expect, test } from "bun:test";
import reddit from "../../../plugins/address-readers/reddit.ts";
import { blockedPage, closed, comment, listing, submission, thread, unknownPost } from "../../doubles/address-services/reddit.ts";
import { busy, empty, extractionWith, page, readerOf, readWith, refusalWith, startServicePeer } from "../../doubles/address-services/service-peer.ts";

const peer = startServicePeer();
afterAll(peer.close);
const plugin = reddit({ api: peer.origin });
const address = "https://www.reddit.com/r/lighthouses/comments/abc123/what_lamp/";
const read = async (answer: unknown) => {
	peer.answers = { "/comments/abc123.json": answer };
	return await readWith(plugin, address, peer);
};
const refused = async (answer: unknown) => {
	peer.answers = { "/comments/abc123.json": answer };
	return await refusalWith(plugin, address, peer);
};

test("a post reads with its comments; how many are left out is remarked", async () => {
	const { reading, step } = await read(thread);
	if (reading?.kind !== "extraction") throw new Error("it was not read");
	const { text, title, about } = reading.extraction;
	expect({ title, about }).toEqual({
		title: "What lamp & oil do you use?",
		about: {
			...{ author: "keeper", siteName: "Reddit, r/lighthouses", publishedAt: "2024-05-01T10:00:00.000Z" },
			canonical: "https://www.reddit.com/r/lighthouses/comments/abc123/what_lamp/",
		},
	});
	expect(text).toBe(
		[
			"# What lamp & oil do you use?",
			"## keeper, 2024-05-01 10:00 UTC",
			"**keeper:** Mine is **old**.",
			"See [the list](https://harbour.example/lamps).",
			"### ben, 2024-05-01 11:00 UTC",
			"**ben:** An *electric* one.",
			"#### keeper, 2024-05-01 11:00 UTC",
			"**keeper:** Since when?",
			"#### ben, 2024-05-01 11:00 UTC",
			"**ben:** Agreed.",
		].join("\n\n"),
	);
	expect(step.warnings).toEqual([{ code: "REPLIES_LEFT_OUT", message: "12 comments are on further pages and were not read" }]);
	expect(peer.asked.at(-1)).toBe("/comments/abc123.json?raw_json=1&limit=500");
});

test("a long thread comes in one piece: as much is taken of it as of a page", async () => {
	const [page, comments] = thread;
	expect((await read([page, comments, "x".repeat(3_000_000)])).reading?.kind).toBe("extraction");
});

test("a link, a poll and a crosspost are read as what they are", async () => {
	const link = submission({
		...{ is_self: false, selftext: "", url: "https://harbour.example/x", thumbnail: "https://b.thumbs.example/t.jpg" },
		poll_data: { options: [{ text: "Oil" }] },
	});
	const { reading } = await read([listing(link), listing()]);
	expect(reading).toMatchObject({ extraction: { text: expect.stringContaining("- Oil"), about: { image: "https://b.thumbs.example/t.jpg" } } });
	const cross = submission({ selftext: "", crosspost_parent_list: [{ selftext: "From elsewhere.", author: "met" }] });
	expect((await read([listing(cross), listing()])).reading).toMatchObject({ extraction: { text: expect.stringContaining("**met:** From elsewhere.") } });
});

test("one comment is asked for with what is below it, and a short link as a long one", async () => {
	peer.answers = { "/comments/abc123/_/k1.json": thread, "/comments/abc123.json": thread };
	await extractionWith(plugin, "https://old.reddit.com/r/lighthouses/comments/abc123/what_lamp/k1/?context=3", peer);
	await extractionWith(plugin, "https://redd.it/abc123", peer);
	expect(peer.asked.slice(-2).map((path) => path.split("?")[0])).toEqual(["/comments/abc123/_/k1.json", "/comments/abc123.json"]);
});

test("what is not there, closed, refused, changed, empty or busy fails in words of its own", async () => {
	const status = (value: unknown, code: number) => Response.json(value, { status: code });
	expect(await refused(status(unknownPost, 404))).toMatchObject({ code: "ADDRESS_GONE" });
	expect(await refused([listing(), listing()])).toMatchObject({ code: "ADDRESS_GONE" });
	expect(await refused([listing(submission({ removed_by_category: "moderator", selftext: "[removed]" })), listing()])).toMatchObject({ code: "ADDRESS_GONE" });
	expect(await refused(status(closed, 403))).toMatchObject({ code: "ADDRESS_PRIVATE", message: expect.stringContaining("private") });
	expect(await refused(page(blockedPage, 403))).toMatchObject({ code: "ADDRESS_REFUSED", message: expect.stringContaining("this network") });
	expect(await refused(page(blockedPage))).toMatchObject({ code: "ADDRESS_CHANGED" });
	expect(await refused({ kind: "Listing" })).toMatchObject({ code: "ADDRESS_CHANGED" });
	expect(await refused([listing({ kind: "t3", data: { name: "x" } }), listing(comment("x"))])).toMatchObject({
		code: "ADDRESS_CHANGED",
		message: expect.stringContaining("title"),
	});
	expect(await refused(empty())).toMatchObject({ code: "ADDRESS_CHANGED" });
	expect(await refused(busy())).toMatchObject({ code: "ADDRESS_FAILED", mayPass: true });
});

test("only posts are recognized", async () => {
	const { recognizes } = await readerOf(plugin, peer);
	const known = [
		address,
		"https://www.reddit.com/comments/abc123",
		"https://reddit.com/gallery/abc123",
		"https://www.reddit.com/user/keeper/comments/abc123/x/",
		"https://redd.it/abc123",
	];
	const others = [
		"https://www.reddit.com/r/lighthouses/",
		"https://www.reddit.com/r/lighthouses/s/AbCdEf",
		"https://redd.it/",
		"https://a.example/comments/abc123",
	];
	expect([...known, ...others].filter((each) => recognizes(new URL(each)))).toEqual(known);
});
