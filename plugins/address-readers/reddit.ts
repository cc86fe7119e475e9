/** Reads posts of Reddit with their comments, from the JSON version of the page. */

import { type AddressReader, definePlugin, type Fetched, fail, limits, type Step } from "cairn-memory";
import { z } from "zod";
import { type ApiRequest, goneError, jsonOf, privateError, requireSuccess, sendRequest, unexpectedResponse } from "./ask.ts";
import { baseUrl, hostNames } from "./base-address.ts";
import { linkTo, type Paragraph } from "./paragraph.ts";
import { htmlToText } from "./post-html.ts";
import { paragraphsOfMarkdown } from "./post-markdown.ts";
import { type Extra, extractionOf, type Post, parseTime } from "./thread.ts";

const listing = z.object({ data: z.object({ children: z.array(z.object({ kind: z.string(), data: z.unknown() })) }) });
type Listing = z.output<typeof listing>;
const submission = z.object({
	title: z.string(),
	selftext: z.string().nullish(),
	author: z.string().nullish(),
	created_utc: z.number(),
	subreddit_name_prefixed: z.string().nullish(),
	permalink: z.string().nullish(),
	url: z.string().nullish(),
	is_self: z.boolean().nullish(),
	removed_by_category: z.string().nullish(),
	thumbnail: z.string().nullish(),
	crosspost_parent_list: z.array(z.object({ selftext: z.string().nullish(), author: z.string().nullish() })).nullish(),
	poll_data: z.object({ options: z.array(z.object({ text: z.string() })) }).nullish(),
});
type Submission = z.output<typeof submission>;
const comment = z.object({
	id: z.string(),
	body: z.string().nullish(),
	author: z.string().nullish(),
	created_utc: z.number().nullish(),
	replies: z.unknown().optional(),
});
const moreComments = z.object({ count: z.number() });

/** The most comments that Reddit returns. */
const commentsMax = 500;
const depthMax = 200;
const removedTexts: ReadonlySet<string> = new Set(["[removed]", "[deleted]", ""]);

export default definePlugin({
	name: "address-reader-reddit",
	contract: 1,
	options: z.strictObject({
		api: baseUrl("https://www.reddit.com"),
		hosts: hostNames([
			"reddit.com",
			"www.reddit.com",
			"old.reddit.com",
			"new.reddit.com",
			"np.reddit.com",
			"m.reddit.com",
			"sh.reddit.com",
			"redd.it",
			"www.redd.it",
		]),
	}),
	start({ api, hosts }, host) {
		const reader: AddressReader = {
			name: "reddit",
			recognizes: (address) => hosts.includes(address.host) && apiPath(address) !== null,
			read: async (address, step) => {
				const request: ApiRequest = { host, step, url: address, dataBytesMax: limits.fetchedBytesMax };
				const fetched = await sendRequest(request, `${api}${apiPath(address)}.json?raw_json=1&limit=${commentsMax}`);
				requireAllowed(fetched, request);
				const [page, comments] = jsonOf(fetched, z.tuple([listing, listing]).rest(z.unknown()));
				return { kind: "extraction", extraction: extraction(page, comments, fetched.address, address, step) };
			},
		};
		return { addressReader: [reader] };
	},
});

/** The API path: `/comments/abc` for a post, `/comments/abc/_/def` for one comment with its replies; null for any other page, such as a subreddit. */
function apiPath({ pathname, host }: URL): string | null {
	const short = /redd\.it$/.test(host) ? /^\/(\w{4,12})\/?$/.exec(pathname) : null;
	const [, id, replyListing] = short ?? /^(?:\/(?:r|u|user)\/[\w-]+)?\/(?:comments|gallery)\/(\w{2,12})(?:\/[^/]*(?:\/(\w{2,12}))?)?\/?$/.exec(pathname) ?? [];
	if (id === undefined) return null;
	return replyListing === undefined ? `/comments/${id}` : `/comments/${id}/_/${replyListing}`;
}

/** Throws an error unless the response is a success. A 403 with JSON is about the post; a 403 with a web page means that this network is blocked. */
function requireAllowed(fetched: Fetched, request: ApiRequest): void {
	if (fetched.status === 403) {
		const errorBody = z.object({ reason: z.string().nullish() }).safeParse(jsonIn(fetched)).data;
		if (errorBody === undefined) throw fail("ADDRESS_REFUSED", request.url.origin + request.url.pathname, "403: Reddit blocks requests from this network");
		throw privateError(request.url, `its community is ${errorBody.reason ?? "closed"}`);
	}
	requireSuccess(fetched, request);
}

function jsonIn({ bytes }: Fetched): unknown {
	try {
		return JSON.parse(new TextDecoder().decode(bytes));
	} catch {
		return null;
	}
}

function extraction(page: Listing, comments: Listing, service: URL, address: URL, step: Step) {
	const top = page.data.children.find(({ kind }) => kind === "t3");
	if (top === undefined) throw goneError(address, "the service does not have this post");
	const parsed = submission.safeParse(top.data);
	if (!parsed.success)
		throw unexpectedResponse(
			service,
			`${parsed.error.issues[0]?.path.join(".") ?? "the post"}: ${parsed.error.issues[0]?.message ?? "has an unexpected shape"}`,
		);
	const main = postOf(parsed.data);
	const omitted = { left: 0 };
	const commentReplies = repliesOf(comments, 1, omitted);
	if (omitted.left > 0) step.warn("REPLIES_LEFT_OUT", `${omitted.left} comments are on further pages and were not read`);
	if (parsed.data.removed_by_category != null && main.paragraphs.length === 0 && commentReplies.length === 0) throw goneError(address, "the post was removed");
	const { permalink, subreddit_name_prefixed: community, thumbnail } = parsed.data;
	return extractionOf(
		{
			posts: [main, ...commentReplies],
			main,
			title: htmlToText(parsed.data.title),
			type: "webpage",
			siteName: community == null ? "Reddit" : `Reddit, ${community}`,
			canonical: permalink == null ? address.href : `https://www.reddit.com${permalink}`,
			image: thumbnail?.startsWith("https://") === true ? thumbnail : null,
		},
		step,
	);
}

function postOf({ selftext, author, created_utc, url, is_self, crosspost_parent_list, poll_data }: Submission): Post {
	const crossposted = (crosspost_parent_list ?? []).flatMap((original) =>
		wordsOf(original.selftext).map((paragraph): Extra => ({ author: { name: original.author ?? "[deleted]", handle: null }, paragraph })),
	);
	const link: readonly Extra[] = is_self === true || url == null ? [] : [{ author: null, paragraph: { text: url, markdown: linkTo(url, url) } }];
	const options = (poll_data?.options ?? []).map(({ text }): Extra => ({ author: null, paragraph: { text, markdown: `- ${text}` } }));
	return {
		author: { name: author ?? "[deleted]", handle: null },
		at: parseTime(created_utc),
		paragraphs: wordsOf(selftext),
		depth: 0,
		extras: [...link, ...options, ...crossposted],
	};
}

function repliesOf(list: Listing, depth: number, omitted: { left: number }): readonly Post[] {
	if (depth > depthMax) return [];
	return list.data.children.flatMap(({ kind, data }) => {
		if (kind === "more") omitted.left += moreComments.safeParse(data).data?.count ?? 0;
		const { body, author, created_utc, replies } = (kind === "t1" ? comment.safeParse(data).data : undefined) ?? {};
		const replyListing = listing.safeParse(replies).data;
		const commentReplies = replyListing === undefined ? [] : repliesOf(replyListing, depth + 1, omitted);
		if (body === undefined && commentReplies.length === 0) return [];
		return [
			{ author: { name: author ?? "[deleted]", handle: null }, at: parseTime(created_utc), paragraphs: wordsOf(body), depth, extras: [] },
			...commentReplies,
		];
	});
}

function wordsOf(markdown: string | null | undefined): readonly Paragraph[] {
	const text = markdown ?? "";
	return removedTexts.has(text.trim()) ? [] : paragraphsOfMarkdown(text);
}
