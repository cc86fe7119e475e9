/** Reads posts of Bluesky with the thread around them, by the public API. */

import { type AddressReader, definePlugin, fail, type Step } from "cairn-memory";
import { z } from "zod";
import { type ApiRequest, goneError, jsonOf, privateError, requireSuccess, sendRequest, unexpectedResponse } from "./ask.ts";
import { baseUrl, hostNames } from "./base-address.ts";
import { linkTo, type Paragraph, paragraphsOfText, type TextLink } from "./paragraph.ts";
import { type Author, type Extra, extractionOf, type Post, parseTime } from "./thread.ts";

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
/** The parts of an embed. Embeds have many shapes and new ones are added, so unknown ones are ignored. */
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
	options: z.strictObject({ api: baseUrl("https://public.api.bsky.app"), hosts: hostNames(["bsky.app", "www.bsky.app", "staging.bsky.app"]) }),
	start({ api, hosts }, host) {
		const reader: AddressReader = {
			name: "bluesky",
			recognizes: (address) => hosts.includes(address.host) && postReference(address) !== null,
			read: async (address, step) => {
				const request: ApiRequest = { host, step, url: address };
				const { who, key } = postReference(address) ?? { who: "", key: "" };
				const did = who.startsWith("did:") ? who : await resolve(who, api, request);
				const query = new URLSearchParams({ uri: `at://${did}/app.bsky.feed.post/${key}`, depth: String(depthMax), parentHeight: String(parentsMax) });
				const fetched = await sendRequest(request, `${api}/xrpc/app.bsky.feed.getPostThread?${query}`);
				requireFound(fetched, request);
				return { kind: "extraction", extraction: extraction(jsonOf(fetched, thread).thread, fetched.address, request, step) };
			},
		};
		return { addressReader: [reader] };
	},
});

function postReference({ pathname }: URL): { readonly who: string; readonly key: string } | null {
	const [, who, key] = /^\/profile\/([\w.:-]+|did%3A[\w.:%-]+)\/post\/(\w{5,30})\/?$/.exec(pathname) ?? [];
	return who === undefined || key === undefined ? null : { who: who.replaceAll(/%3A/gi, ":"), key };
}

async function resolve(handle: string, api: string, request: ApiRequest): Promise<string> {
	const fetched = await sendRequest(request, `${api}/xrpc/com.atproto.identity.resolveHandle?${new URLSearchParams({ handle })}`);
	requireFound(fetched, request);
	return jsonOf(fetched, z.object({ did: z.string().startsWith("did:") })).did;
}

/** Throws an error unless the response is a success. Bluesky responds with 400 where others use 404. */
function requireFound(fetched: Parameters<typeof requireSuccess>[0], request: ApiRequest): void {
	if (fetched.status !== 400) {
		requireSuccess(fetched, request);
		return;
	}
	const { error, message } = jsonOf(fetched, z.object({ error: z.string(), message: z.string().nullish() }));
	if (error === "NotFound" || /unable to resolve|not found/i.test(message ?? "")) throw goneError(request.url, message ?? error);
	throw unexpectedResponse(fetched.address, `${error}: ${message ?? ""}`);
}

function extraction(top: View, service: URL, { url }: ApiRequest, step: Step) {
	if (top.post === undefined) {
		if (/notFound/i.test(top.$type ?? "")) throw goneError(url, "the post was deleted");
		if (/blocked/i.test(top.$type ?? "")) throw privateError(url, "its author has blocked access");
		throw unexpectedResponse(service, "thread.post: is missing");
	}
	// The author of a post may show it only to signed-in users. Such a post is not read, although the API returns it.
	if (isForSignedInUsers(top.post)) throw privateError(url, "its author shows it only to signed-in users");
	const above = parentsOf(top);
	const main = postOf(top.post, above.length);
	const posts = [...above.map((parent, depth) => postOf(parent, depth)), main, ...repliesOf(top, above.length + 1)];
	if ((top.post.replyCount ?? 0) > 0 && posts.length === above.length + 1) step.warn("REPLIES_LEFT_OUT", "the service does not show the replies to the post");
	if (main.paragraphs.length === 0 && main.extras.length === 0) throw fail("CONTENT_EMPTY");
	const language = top.post.record.langs?.[0] ?? null;
	return extractionOf({ posts, main, type: "webpage", siteName: "Bluesky", language, canonical: url.href, image: pictureOf(top.post) }, step);
}

function isForSignedInUsers({ author: { labels } }: BlueskyPost): boolean {
	return labels?.some(({ val }) => val === "!no-unauthenticated") === true;
}

/** The posts above, the oldest first. */
function parentsOf(top: View): readonly BlueskyPost[] {
	const parents: BlueskyPost[] = [];
	let next = view.safeParse(top.parent);
	while (next.success && next.data.post !== undefined && parents.length < parentsMax) {
		parents.unshift(next.data.post);
		next = view.safeParse(next.data.parent);
	}
	return parents;
}

function repliesOf(above: View, depth: number): readonly Post[] {
	if (depth > depthMax + parentsMax) return [];
	return (above.replies ?? []).flatMap((each) => {
		const reply = view.safeParse(each).data;
		return reply?.post === undefined || isForSignedInUsers(reply.post) ? [] : [postOf(reply.post, depth), ...repliesOf(reply, depth + 1)];
	});
}

function postOf({ author: postAuthor, record: { text, createdAt, facets }, embed: rawEmbed }: BlueskyPost, depth: number): Post {
	return {
		author: authorOf(postAuthor),
		at: parseTime(createdAt),
		paragraphs: paragraphsOfText(text, linksOf(text, facets ?? [])),
		depth,
		extras: extrasOf(rawEmbed),
	};
}

function authorOf({ handle, displayName }: z.output<typeof author>): Author {
	return { name: displayName ?? "", handle: `@${handle}` };
}

/** The links in the text. Their offsets are in bytes of UTF-8. */
function linksOf(text: string, facets: readonly unknown[]): readonly TextLink[] {
	const bytes = new TextEncoder().encode(text);
	const charactersUntil = (byte: number) => new TextDecoder().decode(bytes.subarray(0, byte)).length;
	return facets.slice(0, 100).flatMap((each) => {
		const { index, features = [] } = facet.safeParse(each).data ?? {};
		const uri = features.find(({ $type }) => $type.endsWith("#link"))?.uri;
		return index === undefined || uri == null ? [] : [{ begin: charactersUntil(index.byteStart), end: charactersUntil(index.byteEnd), url: uri }];
	});
}

function extrasOf(rawEmbed: unknown): readonly Extra[] {
	const parts = embed.safeParse(rawEmbed).data;
	if (parts === undefined) return [];
	const pictures = (z.array(image).safeParse(parts.images).data ?? []).flatMap(({ alt }) => (alt ? [plain(`image: ${alt}`)] : []));
	const videoDescription = typeof parts.alt === "string" && parts.alt !== "" ? [plain(`video: ${parts.alt}`)] : [];
	const link = external.safeParse(parts.external).data;
	return [...pictures, ...videoDescription, ...(link === undefined ? [] : [linkExtra(link)]), ...extrasOf(parts.media), ...quoteOf(parts.record)];
}

/** The text of a quoted post, which is in `record`, or one level deeper if there are images. */
function quoteOf(embeddedRecord: unknown): readonly Extra[] {
	const nestedRecord = z.object({ record: z.unknown() }).safeParse(embeddedRecord).data?.record;
	const quote = quoted.safeParse(embeddedRecord).data ?? quoted.safeParse(nestedRecord).data;
	return quote === undefined ? [] : paragraphsOfText(quote.value.text).map((paragraph) => ({ author: authorOf(quote.author), paragraph }));
}

function linkExtra({ uri, title, description }: z.output<typeof external>): Extra {
	const label = title ? title : uri;
	const suffix = description ? `: ${description}` : "";
	return { author: null, paragraph: { text: `${label}${suffix}`, markdown: `${linkTo(uri, label)}${suffix}` } satisfies Paragraph };
}

function plain(text: string): Extra {
	return { author: null, paragraph: { text, markdown: text } };
}

function pictureOf({ embed: rawEmbed }: BlueskyPost): string | null {
	const parts = embed.safeParse(rawEmbed).data;
	const mediaEmbed = embed.safeParse(parts?.media).data;
	return z.array(image).safeParse(parts?.images ?? mediaEmbed?.images).data?.[0]?.thumb ?? null;
}
