/** Posts of Mastodon servers, and of others with the same API, with the thread around them. */

import { type AddressReader, definePlugin, type Step } from "cairn-memory";
import { z } from "zod";
import { type Asked, ask, hidden, jsonOf, orNull } from "./ask.ts";
import { linkTo, paragraphsOfText } from "./paragraph.ts";
import { paragraphsOfHtml, plainOf } from "./post-html.ts";
import { type Author, type Extra, extractionOf, type Post, timeAt } from "./thread.ts";

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
const refusal = z.object({ error: z.string() });

/** `/@user/123`, `/@user@elsewhere/123`, `/users/user/statuses/123`, and `/notice/abc` as Pleroma has it. */
const forms = /^\/(?:(?:web\/)?@[\w.-]+(?:@[\w.-]+)?\/(\d{5,25})|users\/[\w.-]+\/statuses\/(\d{5,25})|notice\/(\w{10,30}))\/?$/;

export default definePlugin({
	name: "address-reader-mastodon",
	contract: 1,
	options: z.strictObject({}),
	start(_options, host) {
		const reader: AddressReader = {
			name: "mastodon",
			recognizes: ({ pathname }) => forms.test(pathname),
			// Other sites have such addresses too: where the response is no post, the address is read as a page.
			read: async (address, step) => {
				const asked: Asked = { host, step, about: address };
				const id = (forms.exec(address.pathname) ?? []).slice(1).find((each) => each !== undefined);
				const main = await orNull(askStatus(`${address.origin}/api/v1/statuses/${id}`, asked), asked);
				if (main === "private") throw hidden(address, "the server shows posts to its own people only");
				if (main === null) return null;
				const around = await orNull(askContext(`${address.origin}/api/v1/statuses/${id}/context`, asked), asked);
				if (around === null && (main.replies_count ?? 0) > 0) step.warn("REPLIES_LEFT_OUT", "the server does not show the answers to the post");
				return { kind: "extraction", extraction: extraction(main, around?.ancestors ?? [], around?.descendants ?? [], address, step) };
			},
		};
		return { addressReader: [reader] };
	},
});

async function askStatus(url: string, asked: Asked): Promise<Status | "private"> {
	const fetched = await ask(asked, url);
	if (fetched.status !== 401) return jsonOf(fetched, status);
	jsonOf(fetched, refusal);
	return "private";
}

async function askContext(url: string, asked: Asked) {
	const { ancestors, descendants } = jsonOf(await ask(asked, url), context);
	const read = (list: readonly unknown[]) => list.flatMap((each) => status.safeParse(each).data ?? []);
	return { ancestors: read(ancestors), descendants: read(descendants) };
}

function extraction(main: Status, ancestors: readonly Status[], descendants: readonly Status[], address: URL, step: Step) {
	const depths = new Map<string, number>();
	const posts: Post[] = [];
	let own: Post | null = null;
	// A reply comes after its parent, whose depth is then known.
	for (const each of [...ancestors, main, ...descendants]) {
		const above = each.in_reply_to_id == null ? undefined : depths.get(each.in_reply_to_id);
		const depth = above === undefined ? 0 : above + 1;
		depths.set(each.id, depth);
		const post = postOf(each, depth, address);
		posts.push(post);
		if (each === main) own = post;
	}
	return extractionOf(
		{
			posts,
			main: own ?? postOf(main, 0, address),
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
	return { author: authorOf(each, host), at: timeAt(each.created_at), words: [...warning, ...paragraphsOfHtml(content)], depth, extras: extrasOf(each) };
}

/** Local accounts lack the server's name, which is added. */
function authorOf({ account: { username, acct, display_name } }: Status, host: string): Author {
	const name = plainOf(display_name ?? "").replace(/:\w+:/g, "");
	return { name: name.trim() === "" ? username : name.trim(), handle: acct.includes("@") ? `@${acct}` : `@${acct}@${host}` };
}

function extrasOf({ media_attachments, card, poll }: Status): readonly Extra[] {
	const pictures = (media_attachments ?? []).flatMap(({ type, description }) => (description ? [`${type}: ${description}`] : []));
	const options = (poll?.options ?? []).map(({ title }) => `- ${title}`);
	const plain = [...pictures, ...options].map((text): Extra => ({ author: null, paragraph: { text, markdown: text } }));
	if (card == null || !card.title) return plain;
	const about = card.description ? `: ${card.description}` : "";
	return [...plain, { author: null, paragraph: { text: `${card.title}${about}`, markdown: `${linkTo(card.url, card.title)}${about}` } }];
}
