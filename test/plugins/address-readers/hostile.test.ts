/** Answers that are bent at any place: they are read, left to others or refused in words of ours; nothing else comes of them. */

import { describe, expect, test } from "bun:test";
import { type Fetched, type GuardedFetch, type Plugin, ServiceError } from "cairn-memory";
import * as fc from "fast-check";
import bluesky from "../../../plugins/address-readers/bluesky.ts";
import github from "../../../plugins/address-readers/github.ts";
import googleDrive from "../../../plugins/address-readers/google-drive.ts";
import hackerNews from "../../../plugins/address-readers/hacker-news.ts";
import mastodon from "../../../plugins/address-readers/mastodon.ts";
import reddit from "../../../plugins/address-readers/reddit.ts";
import x from "../../../plugins/address-readers/x/index.ts";
import youtube from "../../../plugins/address-readers/youtube/index.ts";
import { quietHost } from "../../contract/quiet-host.ts";
import * as blueskyAnswers from "../../doubles/address-services/bluesky.ts";
import { story } from "../../doubles/address-services/hacker-news.ts";
import * as mastodonAnswers from "../../doubles/address-services/mastodon.ts";
import * as redditAnswers from "../../doubles/address-services/reddit.ts";
import { oembed, parent, quoted, tweet } from "../../doubles/address-services/x.ts";
import { heardJson, playerResponse, srv1Xml, videoId, watchPage } from "../../doubles/address-services/youtube.ts";
import { createStep } from "../../doubles/step.ts";

const seed = 20240501;
const rounds = 300;
const { main, context } = mastodonAnswers;
const tracks = [{ baseUrl: "/api/timedtext?lang=en", languageCode: "en" }];

interface Service {
	readonly plugin: Plugin;
	readonly address: string;
	readonly answers: Readonly<Record<string, unknown>>;
}

const services: readonly Service[] = [
	{
		plugin: bluesky(),
		address: `https://bsky.app/profile/${blueskyAnswers.did}/post/3kabcdefghij2`,
		answers: { "/xrpc/app.bsky.feed.getPostThread": blueskyAnswers.thread },
	},
	{ plugin: hackerNews(), address: "https://news.ycombinator.com/item?id=8863", answers: { "/api/v1/items/8863": story() } },
	{
		plugin: mastodon(),
		address: `https://social.example/@ada/${main.id}`,
		answers: { [`/api/v1/statuses/${main.id}`]: main, [`/api/v1/statuses/${main.id}/context`]: context },
	},
	{ plugin: reddit(), address: "https://www.reddit.com/comments/abc123", answers: { "/comments/abc123.json": redditAnswers.thread } },
	{
		plugin: x(),
		address: "https://x.com/keeper/status/1785600000000000001",
		answers: { "/tweet-result": tweet({ quoted_tweet: quoted, parent }), "/oembed": oembed },
	},
	{
		plugin: youtube(),
		address: `https://youtu.be/${videoId}`,
		answers: { "/watch": watchPage(playerResponse(tracks)), "/youtubei/v1/player": playerResponse(tracks), "/api/timedtext": heardJson },
	},
	{ plugin: youtube(), address: `https://youtu.be/${videoId}`, answers: { "/watch": watchPage(playerResponse(tracks)), "/api/timedtext": srv1Xml } },
];

const odd: readonly unknown[] = [null, 0, -1, 1e300, "", "\u0000", "\ud800", "https://[", "x".repeat(5_000), [], {}, true, [null], { $type: "x" }];

/** The answer as text with one part of it bent: values at any place of JSON, characters of anything else. */
function bent(answer: unknown, at: number, how: number): string {
	if (typeof answer === "string") {
		const place = Math.floor(at * answer.length);
		return answer.slice(0, place) + ["", "<", "&#x;", "{", '"', "\\"][how % 6] + answer.slice(place + (how % 40));
	}
	let count = 0;
	JSON.stringify(answer, (_, value: unknown) => {
		count++;
		return value;
	});
	const chosen = Math.floor(at * count);
	let seen = 0;
	return JSON.stringify(answer, (_, value: unknown) => (seen++ === chosen ? odd[how % odd.length] : value)) ?? "";
}

function answering(answers: Service["answers"], at: number, how: number): GuardedFetch {
	return async (address): Promise<Fetched> => {
		const url = new URL(address);
		const answer = answers[url.pathname];
		const text = answer === undefined ? "" : bent(answer, at, how);
		const claimedMediaType = typeof answer === "string" ? "text/html" : "application/json";
		return {
			address: url,
			status: answer === undefined ? 404 : 200,
			headers: new Map(),
			claimedMediaType,
			charset: null,
			fileName: null,
			bytes: new TextEncoder().encode(text),
		};
	};
}

async function readerOf(plugin: Plugin, fetch: GuardedFetch) {
	const checked = await plugin.options["~standard"].validate(plugin.rawOptions);
	if (checked.issues !== undefined) throw new Error(JSON.stringify(checked.issues));
	const [reader] = (await plugin.start(checked.value, { ...quietHost(), fetch })).addressReader ?? [];
	if (reader === undefined) throw new Error("there is no reader");
	return reader;
}

describe("answers that are bent", () => {
	test.each(services.map(({ plugin, answers }, i) => [`${plugin.name} ${Object.keys(answers).length}`, i] as const))("%s", async (_name, i) => {
		const service = services[i];
		if (service === undefined) throw new Error("there is no service");
		const { plugin, address, answers } = service;
		let read = 0;
		// Every place is bent in several ways; which way at which place is the same in every run.
		for (let round = 0; round < rounds; round++) {
			const reader = await readerOf(plugin, answering(answers, round / rounds, (round * 7) % 1_000));
			const outcome: unknown = await reader.read(new URL(address), createStep()).catch((thrown: unknown) => thrown);
			if (outcome instanceof Error) expect(outcome).toBeInstanceOf(ServiceError);
			else read += 1;
		}
		// Most places are of no importance: a reader that refuses all that is bent would be of no use.
		expect(read).toBeGreaterThan(rounds / 5);
	});
});

test("any address at all is told to be one's own or not", async () => {
	const plugins: readonly Plugin[] = [...services.map(({ plugin }) => plugin), github(), googleDrive()];
	const readers = await Promise.all(plugins.map((plugin) => readerOf(plugin, answering({}, 0, 0))));
	const hosts = [
		"bsky.app",
		"x.com",
		"youtu.be",
		"www.youtube.com",
		"reddit.com",
		"redd.it",
		"github.com",
		"gist.github.com",
		"docs.google.com",
		"news.ycombinator.com",
	];
	const paths = fc.stringMatching(/^(\/(@|%C3|%|watch|status|profile|post|comments|document|d|blob|item|[\w.-]{0,30})){0,6}(\?(v|id)=[%\w-]{0,15})?$/);
	const check = fc.property(
		fc.oneof(
			fc.webUrl(),
			fc.tuple(fc.constantFrom(...hosts), paths).map(([host, path]) => `https://${host}${path}`),
		),
		(url) => {
			if (URL.canParse(url)) for (const { recognizes } of readers) expect(typeof recognizes(new URL(url))).toBe("boolean");
		},
	);
	fc.assert(check, { seed, numRuns: 500 });
});
