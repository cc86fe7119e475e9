/** Reads posts of Mastodon servers, and of other servers with the same API, with the thread around them. */

import { type AddressReader, definePlugin, type Step } from "cairn-memory";
import { z } from "zod";
import { type ApiRequest, jsonOf, nullOnError, privateError, sendRequest } from "./ask.ts";
import { linkTo, paragraphsOfText } from "./paragraph.ts";
import { htmlToText, paragraphsOfHtml } from "./post-html.ts";
import { type Author, type Extra, extractionOf, type Post, parseTime } from "./thread.ts";

const status = z.object({
	id: z.string(),
	created_at: z.string(),
	in_reply_to_id: z.string().nullish(),
	spoiler_text: z.string().nullish(),
	language: z.string().nullish(),
	url: z.string().nullish(),
	uri: z.string().nullish(),
	replies_count: z.number().nullish(),
	content: z.string(),
	account: z.object({ username: z.string(), acct: z.string(), display_name: z.string().nullish() }),
	media_attachments: z.array(z.object({ type: z.string(), preview_url: z.string().nullish(), description: z.string().nullish() })).nullish(),
	card: z.object({ url: z.string(), title: z.string().nullish(), description: z.string().nullish() }).nullish(),
	poll: z.object({ options: z.array(z.object({ title: z.string() })) }).nullish(),
});
type Status = z.output<typeof status>;

const context = z.object({ ancestors: z.array(z.unknown()), descendants: z.array(z.unknown()) });
const errorResponse = z.object({ error: z.string() });

/** Paths of posts: `/@user/123`, `/@user@elsewhere/123`, `/users/user/statuses/123`, and Pleroma's `/notice/abc`. */
const postPath = /^\/(?:(?:web\/)?@[\w.-]+(?:@[\w.-]+)?\/(\d{5,25})|users\/[\w.-]+\/statuses\/(\d{5,25})|notice\/(\w{10,30}))\/?$/;

export default definePlugin({
	name: "address-reader-mastodon",
	contract: 1,
	start(_options, host) {
		const reader: AddressReader = {
			name: "mastodon",
			recognizes: ({ pathname }) => postPath.test(pathname),
			// Other sites have such paths too. If the response is not a post, null lets the URL be read as a page.
			read: async (address, step) => {
				const request: ApiRequest = { host, step, url: address };
				const id = (postPath.exec(address.pathname) ?? []).slice(1).find((each) => each !== undefined);
				const main = await nullOnError(fetchStatus(`${address.origin}/api/v1/statuses/${id}`, request), request);
				if (main === "private") throw privateError(address, "the server shows posts only to its own users");
				if (main === null) return null;
				const thread = await nullOnError(fetchContext(`${address.origin}/api/v1/statuses/${id}/context`, request), request);
				if (thread === null && (main.replies_count ?? 0) > 0) step.warn("REPLIES_LEFT_OUT", "the server does not show the replies to the post");
				return { kind: "extraction", extraction: extraction(main, thread?.ancestors ?? [], thread?.descendants ?? [], address, step) };
			},
		};
		return { addressReader: [reader] };
	},
});

async function fetchStatus(url: string, request: ApiRequest): Promise<Status | "private"> {
	const fetched = await sendRequest(request, url);
	if (fetched.status !== 401) return jsonOf(fetched, status);
	jsonOf(fetched, errorResponse);
	return "private";
}

async function fetchContext(url: string, request: ApiRequest) {
	const { ancestors, descendants } = jsonOf(await sendRequest(request, url), context);
	const read = (list: readonly unknown[]) => list.flatMap((each) => status.safeParse(each).data ?? []);
	return { ancestors: read(ancestors), descendants: read(descendants) };
}

function extraction(main: Status, ancestors: readonly Status[], descendants: readonly Status[], address: URL, step: Step) {
	const depths = new Map<string, number>();
	const posts: Post[] = [];
	let mainPost: Post | null = null;
	// A reply comes after its parent, so the depth of the parent is known.
	for (const each of [...ancestors, main, ...descendants]) {
		const parentDepth = each.in_reply_to_id == null ? undefined : depths.get(each.in_reply_to_id);
		const depth = parentDepth === undefined ? 0 : parentDepth + 1;
		depths.set(each.id, depth);
		const post = postOf(each, depth, address);
		posts.push(post);
		if (each === main) mainPost = post;
	}
	return extractionOf(
		{
			posts,
			main: mainPost ?? postOf(main, 0, address),
			type: "webpage",
			siteName: address.host,
			language: main.language ?? null,
			canonical: main.url ?? address.href,
			image: main.media_attachments?.find(({ type }) => type === "image")?.preview_url ?? null,
		},
		step,
	);
}

function postOf(each: Status, depth: number, { host }: URL): Post {
	const { spoiler_text, content } = each;
	const warning = spoiler_text == null || spoiler_text.trim() === "" ? [] : paragraphsOfText(spoiler_text);
	return {
		author: authorOf(each, host),
		at: parseTime(each.created_at),
		paragraphs: [...warning, ...paragraphsOfHtml(content)],
		depth,
		extras: extrasOf(each),
	};
}

/** The author of a post. The handles of local accounts lack the server's name, which is added. */
function authorOf({ account: { username, acct, display_name } }: Status, host: string): Author {
	const name = htmlToText(display_name ?? "").replace(/:\w+:/g, "");
	return { name: name.trim() === "" ? username : name.trim(), handle: acct.includes("@") ? `@${acct}` : `@${acct}@${host}` };
}

function extrasOf({ media_attachments, card, poll }: Status): readonly Extra[] {
	const pictures = (media_attachments ?? []).flatMap(({ type, description }) => (description ? [`${type}: ${description}`] : []));
	const options = (poll?.options ?? []).map(({ title }) => `- ${title}`);
	const plain = [...pictures, ...options].map((text): Extra => ({ author: null, paragraph: { text, markdown: text } }));
	if (card == null || !card.title) return plain;
	const suffix = card.description ? `: ${card.description}` : "";
	return [...plain, { author: null, paragraph: { text: `${card.title}${suffix}`, markdown: `${linkTo(card.url, card.title)}${suffix}` } }];
}
