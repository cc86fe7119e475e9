/** Reads stories and comments of Hacker News with all replies, by the public search API. */

import { type AddressReader, definePlugin, limits } from "cairn-memory";
import { z } from "zod";
import { type ApiRequest, goneError, jsonOf, requireSuccess, sendRequest } from "./ask.ts";
import { baseUrl, hostNames } from "./base-address.ts";
import { linkTo } from "./paragraph.ts";
import { htmlToText, paragraphsOfHtml } from "./post-html.ts";
import { type Extra, extractionOf, type Post, parseTime } from "./thread.ts";

const item = z.object({
	id: z.number(),
	type: z.string(),
	author: z.string().nullish(),
	created_at: z.string().nullish(),
	title: z.string().nullish(),
	url: z.string().nullish(),
	text: z.string().nullish(),
	/** Replies have the same shape. They are validated one by one, so that an invalid one does not affect the others. */
	children: z.array(z.unknown()).nullish(),
	options: z.array(z.object({ text: z.string().nullish() })).nullish(),
});
type Item = z.output<typeof item>;

const depthMax = 200;

export default definePlugin({
	name: "address-reader-hacker-news",
	contract: 1,
	options: z.strictObject({ api: baseUrl("https://hn.algolia.com"), hosts: hostNames(["news.ycombinator.com"]) }),
	start({ api, hosts }, host) {
		const reader: AddressReader = {
			name: "hacker-news",
			recognizes: (address) => hosts.includes(address.host) && idOf(address) !== null,
			read: async (address, step) => {
				const request: ApiRequest = { host, step, url: address, dataBytesMax: limits.fetchedBytesMax };
				const fetched = await sendRequest(request, `${api}/api/v1/items/${idOf(address)}`);
				requireSuccess(fetched, request);
				const top = jsonOf(fetched, item);
				const [main, ...replies] = postsOf(top, 0);
				if (main === undefined || (top.title == null && main.paragraphs.length === 0)) throw goneError(address, "the post was deleted");
				const title = top.title == null ? null : htmlToText(top.title);
				const thread = { posts: [main, ...replies], main, title, type: "webpage", siteName: "Hacker News", language: "en" } as const;
				return { kind: "extraction", extraction: extractionOf({ ...thread, canonical: address.href }, step) };
			},
		};
		return { addressReader: [reader] };
	},
});

function idOf(address: URL): string | null {
	const id = address.pathname === "/item" ? (address.searchParams.get("id") ?? "") : "";
	return /^\d{1,12}$/.test(id) ? id : null;
}

function postsOf(entry: Item, depth: number): readonly Post[] {
	const { author, created_at, text, url, options, children } = entry;
	const post: Post = {
		author: { name: author ?? "[deleted]", handle: null },
		at: parseTime(created_at),
		paragraphs: text == null ? [] : paragraphsOfHtml(text),
		depth,
		extras: [...(url == null ? [] : [linkExtra(url)]), ...(options ?? []).flatMap((option) => (option.text == null ? [] : [optionExtra(option.text)]))],
	};
	if (depth >= depthMax) return [post];
	const replies = (children ?? []).flatMap((child) => {
		const reply = item.safeParse(child);
		return reply.success ? [reply.data] : [];
	});
	return [post, ...replies.flatMap((reply) => postsOf(reply, depth + 1))];
}

function linkExtra(url: string): Extra {
	return { author: null, paragraph: { text: url, markdown: linkTo(url, url) } };
}

function optionExtra(text: string): Extra {
	const words = htmlToText(text);
	return { author: null, paragraph: { text: words, markdown: `- ${words}` } };
}
