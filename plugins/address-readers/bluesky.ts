/** Posts of Bluesky with the thread around them, by the public API. */

import { type AddressReader, definePlugin, fail, type Step } from "cairn-memory";
import { z } from "zod";
import { type Asked, ask, changed, demandSuccess, gone, hidden, jsonOf } from "./ask.ts";
import { baseAddress, hostNames } from "./base-address.ts";
import { linkTo, type Paragraph, paragraphsOfText, type TextLink } from "./paragraph.ts";
import { type Author, type Extra, extractionOf, type Post, timeAt } from "./thread.ts";

const author = z.object({ did: z.string(), handle: z.string(), displayName: z.string().nullish(), labels: z.array(z.object({ val: z.string() })).nullish() });
const facet = z.object({
	index: z.object({ byteStart: z.number(), byteEnd: z.number() }),
	features: z.array(z.object({ $type: z.string(), uri: z.string().nullish() })),
});
const record = z.object({
	text: z.string(),
	createdAt: z.string(),
	langs: z.array(z.string()).nullish(),
	facets: z.array(z.unknown()).nullish(),
});
const image = z.object({ alt: z.string().nullish(), thumb: z.string().nullish() });
const external = z.object({ uri: z.string(), title: z.string().nullish(), description: z.string().nullish() });
const quoted = z.object({ author, value: z.object({ text: z.string() }) });
/** Embeds have many shapes, and new ones are added: unknown ones are ignored. */
const embed = z.object({ images: z.unknown(), external: z.unknown(), record: z.unknown(), media: z.unknown(), alt: z.unknown() }).partial();
const post = z.object({ uri: z.string(), author, record, embed: z.unknown().optional(), replyCount: z.number().nullish() });
const view = z.object({ $type: z.string().nullish(), post: post.optional(), parent: z.unknown().optional(), replies: z.array(z.unknown()).nullish() });
const thread = z.object({ thread: view });
type View = z.output<typeof view>;
type BlueskyPost = z.output<typeof post>;

const parentsMax = 80;
const depthMax = 100;

export default definePlugin({
	name: "address-reader-bluesky",
	contract: 1,
	options: z.strictObject({ api: baseAddress("https://public.api.bsky.app"), hosts: hostNames(["bsky.app", "www.bsky.app", "staging.bsky.app"]) }),
	start({ api, hosts }, host) {
		const reader: AddressReader = {
			name: "bluesky",
			recognizes: (address) => hosts.includes(address.host) && placeOf(address) !== null,
			read: async (address, step) => {
				const asked: Asked = { host, step, about: address };
				const { who, key } = placeOf(address) ?? { who: "", key: "" };
				const did = who.startsWith("did:") ? who : await resolve(who, api, asked);
				const query = new URLSearchParams({ uri: `at://${did}/app.bsky.feed.post/${key}`, depth: String(depthMax), parentHeight: String(parentsMax) });
				const fetched = await ask(asked, `${api}/xrpc/app.bsky.feed.getPostThread?${query}`);
				demandFound(fetched, asked);
				return { kind: "extraction", extraction: extraction(jsonOf(fetched, thread).thread, fetched.address, asked, step) };
			},
		};
		return { addressReader: [reader] };
	},
});

function placeOf({ pathname }: URL): { readonly who: string; readonly key: string } | null {
	const [, who, key] = /^\/profile\/([\w.:-]+|did%3A[\w.:%-]+)\/post\/(\w{5,30})\/?$/.exec(pathname) ?? [];
	return who === undefined || key === undefined ? null : { who: who.replaceAll(/%3A/gi, ":"), key };
}

async function resolve(handle: string, api: string, asked: Asked): Promise<string> {
	const fetched = await ask(asked, `${api}/xrpc/com.atproto.identity.resolveHandle?${new URLSearchParams({ handle })}`);
	demandFound(fetched, asked);
	return jsonOf(fetched, z.object({ did: z.string().startsWith("did:") })).did;
}

/** Bluesky responds with 400 where others use 404. */
function demandFound(fetched: Parameters<typeof demandSuccess>[0], asked: Asked): void {
	if (fetched.status !== 400) {
		demandSuccess(fetched, asked);
		return;
	}
	const { error, message } = jsonOf(fetched, z.object({ error: z.string(), message: z.string().nullish() }));
	if (error === "NotFound" || /unable to resolve|not found/i.test(message ?? "")) throw gone(asked.about, message ?? error);
	throw changed(fetched.address, `${error}: ${message ?? ""}`);
}

function extraction(top: View, service: URL, { about }: Asked, step: Step) {
	if (top.post === undefined) {
		if (/notFound/i.test(top.$type ?? "")) throw gone(about, "the post was deleted");
		if (/blocked/i.test(top.$type ?? "")) throw hidden(about, "its author has blocked who asks");
		throw changed(service, "thread.post: is not there");
	}
	// A post that its author shows only to signed-in people is left out.
	if (isForMembers(top.post)) throw hidden(about, "its author shows it only to people who have signed in");
	const above = parentsOf(top);
	const main = postOf(top.post, above.length);
	const posts = [...above.map((parent, depth) => postOf(parent, depth)), main, ...answersOf(top, above.length + 1)];
	if ((top.post.replyCount ?? 0) > 0 && posts.length === above.length + 1) step.warn("REPLIES_LEFT_OUT", "the service does not show the answers to the post");
	if (main.words.length === 0 && main.extras.length === 0) throw fail("CONTENT_EMPTY");
	const language = top.post.record.langs?.[0] ?? null;
	return extractionOf({ posts, main, type: "webpage", siteName: "Bluesky", language, canonical: about.href, image: pictureOf(top.post) }, step);
}

function isForMembers({ author: { labels } }: BlueskyPost): boolean {
	return labels?.some(({ val }) => val === "!no-unauthenticated") === true;
}

/** The oldest first. */
function parentsOf(top: View): readonly BlueskyPost[] {
	const parents: BlueskyPost[] = [];
	let next = view.safeParse(top.parent);
	while (next.success && next.data.post !== undefined && parents.length < parentsMax) {
		parents.unshift(next.data.post);
		next = view.safeParse(next.data.parent);
	}
	return parents;
}

function answersOf(above: View, depth: number): readonly Post[] {
	if (depth > depthMax + parentsMax) return [];
	return (above.replies ?? []).flatMap((each) => {
		const answer = view.safeParse(each).data;
		return answer?.post === undefined || isForMembers(answer.post) ? [] : [postOf(answer.post, depth), ...answersOf(answer, depth + 1)];
	});
}

function postOf({ author: by, record: { text, createdAt, facets }, embed: with_ }: BlueskyPost, depth: number): Post {
	return { author: authorOf(by), at: timeAt(createdAt), words: paragraphsOfText(text, linksOf(text, facets ?? [])), depth, extras: extrasOf(with_) };
}

function authorOf({ handle, displayName }: z.output<typeof author>): Author {
	return { name: displayName ?? "", handle: `@${handle}` };
}

/** Offsets are in bytes of UTF-8. */
function linksOf(text: string, facets: readonly unknown[]): readonly TextLink[] {
	const bytes = new TextEncoder().encode(text);
	const charactersUntil = (byte: number) => new TextDecoder().decode(bytes.subarray(0, byte)).length;
	return facets.slice(0, 100).flatMap((each) => {
		const { index, features = [] } = facet.safeParse(each).data ?? {};
		const uri = features.find(({ $type }) => $type.endsWith("#link"))?.uri;
		return index === undefined || uri == null ? [] : [{ begin: charactersUntil(index.byteStart), end: charactersUntil(index.byteEnd), address: uri }];
	});
}

function extrasOf(with_: unknown): readonly Extra[] {
	const parts = embed.safeParse(with_).data;
	if (parts === undefined) return [];
	const pictures = (z.array(image).safeParse(parts.images).data ?? []).flatMap(({ alt }) => (alt ? [plain(`image: ${alt}`)] : []));
	const clip = typeof parts.alt === "string" && parts.alt !== "" ? [plain(`video: ${parts.alt}`)] : [];
	const link = external.safeParse(parts.external).data;
	return [...pictures, ...clip, ...(link === undefined ? [] : [linkExtra(link)]), ...extrasOf(parts.media), ...quoteOf(parts.record)];
}

/** A quoted post is in `record`, or one level deeper when there are images. */
function quoteOf(within: unknown): readonly Extra[] {
	const deeper = z.object({ record: z.unknown() }).safeParse(within).data?.record;
	const quote = quoted.safeParse(within).data ?? quoted.safeParse(deeper).data;
	return quote === undefined ? [] : paragraphsOfText(quote.value.text).map((paragraph) => ({ author: authorOf(quote.author), paragraph }));
}

function linkExtra({ uri, title, description }: z.output<typeof external>): Extra {
	const words = title ? title : uri;
	const about = description ? `: ${description}` : "";
	return { author: null, paragraph: { text: `${words}${about}`, markdown: `${linkTo(uri, words)}${about}` } satisfies Paragraph };
}

function plain(text: string): Extra {
	return { author: null, paragraph: { text, markdown: text } };
}

function pictureOf({ embed: with_ }: BlueskyPost): string | null {
	const parts = embed.safeParse(with_).data;
	const beside = embed.safeParse(parts?.media).data;
	return z.array(image).safeParse(parts?.images ?? beside?.images).data?.[0]?.thumb ?? null;
}
