/** Posts of Reddit with their comments, from the JSON form of each page. */

import { type AddressReader, definePlugin, type Fetched, fail, limits, type Step } from "cairn-memory";
import { z } from "zod";
import { type Asked, ask, changed, demandSuccess, gone, hidden, jsonOf } from "./ask.ts";
import { baseAddress, hostNames } from "./base-address.ts";
import { linkTo, type Paragraph } from "./paragraph.ts";
import { plainOf } from "./post-html.ts";
import { paragraphsOfMarkdown } from "./post-markdown.ts";
import { type Extra, extractionOf, type Post, timeAt } from "./thread.ts";

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
const more = z.object({ count: z.number() });

/** Reddit's limit. */
const commentsMax = 500;
const depthMax = 200;
const removed: ReadonlySet<string> = new Set(["[removed]", "[deleted]", ""]);

export default definePlugin({
	name: "address-reader-reddit",
	contract: 1,
	options: z.strictObject({
		api: baseAddress("https://www.reddit.com"),
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
			recognizes: (address) => hosts.includes(address.host) && placeOf(address) !== null,
			read: async (address, step) => {
				const asked: Asked = { host, step, about: address, dataBytesMax: limits.fetchedBytesMax };
				const fetched = await ask(asked, `${api}${placeOf(address)}.json?raw_json=1&limit=${commentsMax}`);
				demandAllowed(fetched, asked);
				const [page, comments] = jsonOf(fetched, z.tuple([listing, listing]).rest(z.unknown()));
				return { kind: "extraction", extraction: extraction(page, comments, fetched.address, address, step) };
			},
		};
		return { addressReader: [reader] };
	},
});

/** `/comments/abc`, or `/comments/abc/_/def` for one comment with its replies; null for anything else, such as a subreddit. */
function placeOf({ pathname, host }: URL): string | null {
	const short = /redd\.it$/.test(host) ? /^\/(\w{4,12})\/?$/.exec(pathname) : null;
	const [, id, below] = short ?? /^(?:\/(?:r|u|user)\/[\w-]+)?\/(?:comments|gallery)\/(\w{2,12})(?:\/[^/]*(?:\/(\w{2,12}))?)?\/?$/.exec(pathname) ?? [];
	if (id === undefined) return null;
	return below === undefined ? `/comments/${id}` : `/comments/${id}/_/${below}`;
}

/** A refusal with a reason as JSON is about the post; a web page means that our network is blocked. */
function demandAllowed(fetched: Fetched, asked: Asked): void {
	if (fetched.status === 403) {
		const said = z.object({ reason: z.string().nullish() }).safeParse(jsonIn(fetched)).data;
		if (said === undefined) throw fail("ADDRESS_REFUSED", asked.about.origin + asked.about.pathname, "403: Reddit does not answer to this network");
		throw hidden(asked.about, `its community is ${said.reason ?? "closed"}`);
	}
	demandSuccess(fetched, asked);
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
	if (top === undefined) throw gone(address, "the service knows no such post");
	const read = submission.safeParse(top.data);
	if (!read.success) throw changed(service, `${read.error.issues[0]?.path.join(".") ?? "the post"}: ${read.error.issues[0]?.message ?? "is of another shape"}`);
	const main = postOf(read.data);
	const counted = { left: 0 };
	const answers = answersOf(comments, 1, counted);
	if (counted.left > 0) step.warn("REPLIES_LEFT_OUT", `${counted.left} comments stand on further pages`);
	if (read.data.removed_by_category != null && main.words.length === 0 && answers.length === 0) throw gone(address, "the post was removed");
	const { permalink, subreddit_name_prefixed: community, thumbnail } = read.data;
	return extractionOf(
		{
			posts: [main, ...answers],
			main,
			title: plainOf(read.data.title),
			type: "webpage",
			siteName: community == null ? "Reddit" : `Reddit, ${community}`,
			canonical: permalink == null ? address.href : `https://www.reddit.com${permalink}`,
			image: thumbnail?.startsWith("https://") === true ? thumbnail : null,
		},
		step,
	);
}

function postOf({ selftext, author, created_utc, url, is_self, crosspost_parent_list, poll_data }: Submission): Post {
	const crossposted = (crosspost_parent_list ?? []).flatMap((from) =>
		wordsOf(from.selftext).map((paragraph): Extra => ({ author: { name: from.author ?? "[deleted]", handle: null }, paragraph })),
	);
	const link: readonly Extra[] = is_self === true || url == null ? [] : [{ author: null, paragraph: { text: url, markdown: linkTo(url, url) } }];
	const options = (poll_data?.options ?? []).map(({ text }): Extra => ({ author: null, paragraph: { text, markdown: `- ${text}` } }));
	return {
		author: { name: author ?? "[deleted]", handle: null },
		at: timeAt(created_utc),
		words: wordsOf(selftext),
		depth: 0,
		extras: [...link, ...options, ...crossposted],
	};
}

function answersOf(list: Listing, depth: number, counted: { left: number }): readonly Post[] {
	if (depth > depthMax) return [];
	return list.data.children.flatMap(({ kind, data }) => {
		if (kind === "more") counted.left += more.safeParse(data).data?.count ?? 0;
		const { body, author, created_utc, replies } = (kind === "t1" ? comment.safeParse(data).data : undefined) ?? {};
		const below = listing.safeParse(replies).data;
		const answers = below === undefined ? [] : answersOf(below, depth + 1, counted);
		if (body === undefined && answers.length === 0) return [];
		return [{ author: { name: author ?? "[deleted]", handle: null }, at: timeAt(created_utc), words: wordsOf(body), depth, extras: [] }, ...answers];
	});
}

function wordsOf(markdown: string | null | undefined): readonly Paragraph[] {
	const text = markdown ?? "";
	return removed.has(text.trim()) ? [] : paragraphsOfMarkdown(text);
}
