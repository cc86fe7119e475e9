/** Every address reader passes the contract tests of plugins and of its kind. */

import { afterAll, describe, test } from "bun:test";
import type { Plugin, PluginFactory } from "cairn-memory";
import bluesky from "../../../plugins/address-readers/bluesky.ts";
import github from "../../../plugins/address-readers/github.ts";
import googleDrive from "../../../plugins/address-readers/google-drive.ts";
import hackerNews from "../../../plugins/address-readers/hacker-news.ts";
import mastodon from "../../../plugins/address-readers/mastodon.ts";
import reddit from "../../../plugins/address-readers/reddit.ts";
import x from "../../../plugins/address-readers/x/index.ts";
import youtube from "../../../plugins/address-readers/youtube/index.ts";
import { createGuardedFetch } from "../../../server/boot/network/guarded-fetch.ts";
import { type AddressScene, addressReaderContract } from "../../contract/address-reader-contract.ts";
import { pluginContract } from "../../contract/plugin-contract.ts";
import { quietHost } from "../../contract/quiet-host.ts";
import * as blueskyAnswers from "../../doubles/address-services/bluesky.ts";
import { exported, fileId, officeTypes } from "../../doubles/address-services/google-drive.ts";
import { story } from "../../doubles/address-services/hacker-news.ts";
import * as mastodonAnswers from "../../doubles/address-services/mastodon.ts";
import { thread } from "../../doubles/address-services/reddit.ts";
import { startServicePeer } from "../../doubles/address-services/service-peer.ts";
import { tweet } from "../../doubles/address-services/x.ts";
import { playerResponse, videoId, watchPage, writtenJson } from "../../doubles/address-services/youtube.ts";

const { main, context } = mastodonAnswers;
const peer = startServicePeer();
afterAll(peer.close);
const { origin } = peer;
peer.answers = {
	"/xrpc/com.atproto.identity.resolveHandle": blueskyAnswers.resolved,
	"/xrpc/app.bsky.feed.getPostThread": blueskyAnswers.thread,
	"/harbour/tides/raw/main/README.md": () => new Response("# Tides"),
	[`/document/d/${fileId}/export`]: () => exported(new Uint8Array([80, 75]), "Plan.docx", officeTypes.docx),
	"/api/v1/items/8863": story(),
	[`/api/v1/statuses/${main.id}`]: main,
	[`/api/v1/statuses/${main.id}/context`]: context,
	"/comments/abc123.json": thread,
	"/tweet-result": tweet(),
	"/watch": watchPage(playerResponse([{ baseUrl: `${origin}/api/timedtext?lang=en`, languageCode: "en" }])),
	"/api/timedtext": writtenJson,
};
const fetch = createGuardedFetch({ allow: [peer.host], log: () => undefined });

function obeys<Given>(factory: PluginFactory<Given>, options: Given, scene: Omit<AddressScene, "fetch" | "start">): void {
	const plugin: Plugin = factory(options);
	describe(plugin.name, () => {
		const start: AddressScene["start"] = async (way) => {
			const checked = await plugin.options["~standard"].validate(plugin.rawOptions);
			if (checked.issues !== undefined) throw new Error(JSON.stringify(checked.issues));
			const [reader] = (await plugin.start(checked.value, { ...quietHost(), fetch: way })).addressReader ?? [];
			if (reader === undefined) throw new Error("there is no reader");
			return reader;
		};
		for (const contractTest of [...pluginContract(factory, options), ...addressReaderContract({ ...scene, fetch, start })])
			test(contractTest.name, contractTest.check);
	});
}

obeys(
	bluesky,
	{ api: origin },
	{ address: "https://bsky.app/profile/keeper.example/post/3kabcdefghij2", words: ["Stay in."], strange: ["https://bsky.app/profile/keeper.example"] },
);
obeys(github, { base: origin }, { address: "https://github.com/harbour/tides/blob/main/README.md", words: [], strange: ["https://github.com/harbour/tides"] });
obeys(
	googleDrive,
	{ docs: origin },
	{ address: `https://docs.google.com/document/d/${fileId}/edit`, words: [], strange: ["https://docs.google.com/forms/d/e/x/viewform"] },
);
obeys(hackerNews, { api: origin }, { address: "https://news.ycombinator.com/item?id=8863", words: ["Kiel"], strange: ["https://news.ycombinator.com/news"] });
obeys(
	mastodon,
	{},
	{ address: `${origin}/@ada/${main.id}`, words: ["Stay in."], strange: ["https://social.example/@ada", "https://blog.example/@ada/a-story"] },
);
obeys(
	reddit,
	{ api: origin },
	{ address: "https://www.reddit.com/r/lighthouses/comments/abc123/x/", words: ["old"], strange: ["https://www.reddit.com/r/lighthouses/"] },
);
obeys(
	x,
	{ syndication: origin, oembed: origin },
	{ address: "https://x.com/keeper/status/1785600000000000001", words: ["Stay in."], strange: ["https://x.com/keeper"] },
);
obeys(youtube, { base: origin }, { address: `https://youtu.be/${videoId}`, words: [], strange: ["https://www.youtube.com/@harbour"] });
