/** Reads a post by the API behind embedded posts: text with links, image descriptions, quoted post, parent post. */

import { type Extraction, fail } from "cairn-memory";
import { z } from "zod";
import { type ApiRequest, goneError, jsonOf, privateError, requireSuccess, sendRequest, unexpectedResponse } from "../ask.ts";
import { linkTo, type Paragraph, paragraphsOfText, type TextLink } from "../paragraph.ts";
import { decodeEntity } from "../post-html.ts";
import { type Author, type Extra, extractionOf, type Post, parseTime } from "../thread.ts";

const user = z.object({ name: z.string(), screen_name: z.string() });
const link = z.object({ url: z.string(), expanded_url: z.string().nullish(), display_url: z.string().nullish() });
const entities = z.object({ urls: z.array(link).nullish(), media: z.array(link).nullish() });
const media = z.object({ media_url_https: z.string().nullish(), type: z.string().nullish(), ext_alt_text: z.string().nullish() });
const base = z.object({
	text: z.string(),
	created_at: z.string().nullish(),
	lang: z.string().nullish(),
	user,
	entities: entities.nullish(),
	mediaDetails: z.array(media).nullish(),
	note_tweet: z.unknown().optional(),
	article: z.object({ title: z.string().nullish(), preview_text: z.string().nullish() }).nullish(),
	card: z.unknown().optional(),
});
const post = base.extend({ quoted_tweet: base.nullish(), parent: base.nullish(), in_reply_to_screen_name: z.string().nullish() });
type Base = z.output<typeof base>;
type Tweet = z.output<typeof post>;
const tombstone = z.object({ __typename: z.literal("TweetTombstone"), tombstone: z.object({ text: z.object({ text: z.string() }) }).nullish() });

export async function readSyndicated(service: string, id: string, request: ApiRequest): Promise<Extraction> {
	const fetched = await sendRequest(request, `${service}/tweet-result?${new URLSearchParams({ id, lang: "en", token: tokenOf(id) })}`);
	// A post that is missing here may be available by oEmbed.
	if (fetched.status === 404) throw unexpectedResponse(fetched.address, "it does not have this post");
	requireSuccess(fetched, request);
	const response = jsonOf(fetched, z.looseObject({}));
	if (Object.keys(response).length === 0) throw unexpectedResponse(fetched.address, "its response is empty");
	throwIfTombstone(response, request);
	return extraction(jsonOf(fetched, post), id, request);
}

/** The token that the script for embedded posts computes. Without it the response is empty. */
function tokenOf(id: string): string {
	return ((Number(id) / 1e15) * Math.PI).toString(36).replace(/(0+|\.)/g, "");
}

function throwIfTombstone(response: unknown, { url }: ApiRequest): void {
	const parsed = tombstone.safeParse(response).data;
	if (parsed === undefined) return;
	const why = parsed.tombstone?.text.text.replace(/\s*Learn more\s*$/i, "").trim() ?? "it is no longer shown";
	throw /protect|limit|adult|sign in|log in/i.test(why) ? privateError(url, why) : goneError(url, why);
}

function extraction(tweet: Tweet, id: string, { step }: ApiRequest): Extraction {
	if (tweet.note_tweet != null) step.warn("POST_CUT", "the public API returns only the beginning of this long post");
	const parent = tweet.parent == null ? [] : [postOf(tweet.parent, null, 0)];
	const main = postOf(tweet, tweet.quoted_tweet ?? null, parent.length);
	if (main.paragraphs.length === 0 && main.extras.length === 0) throw fail("CONTENT_EMPTY");
	const canonical = `https://x.com/${tweet.user.screen_name}/status/${id}`;
	const image = tweet.mediaDetails?.find(({ media_url_https }) => media_url_https != null)?.media_url_https ?? null;
	const language = tweet.lang === "und" || tweet.lang === "zxx" ? null : (tweet.lang ?? null);
	return extractionOf({ posts: [...parent, main], main, type: "tweet", siteName: "X", language, canonical, image }, step);
}

function postOf(tweet: Base, quote: Base | null, depth: number): Post {
	const pictures = (tweet.mediaDetails ?? []).flatMap(({ type, ext_alt_text }) => (ext_alt_text ? [plain(`${type ?? "image"}: ${ext_alt_text}`)] : []));
	const article = [tweet.article?.title, tweet.article?.preview_text].filter((text) => text != null && text !== "").join(": ");
	const quoted = quote === null ? [] : wordsOf(quote).map((paragraph): Extra => ({ author: authorOf(quote), paragraph }));
	const extras = [...(article === "" ? [] : [plain(article)]), ...pictures, ...cardOf(tweet.card), ...quoted];
	return { author: authorOf(tweet), at: parseTime(tweet.created_at), paragraphs: wordsOf(tweet), depth, extras };
}

function authorOf({ user: { name, screen_name } }: Base): Author {
	return { name, handle: `@${screen_name}` };
}

/** The paragraphs of a post. Short links are found by their text, since the offsets in the response do not fit the escaped text. */
function wordsOf({ text, entities: entitiesFound }: Base): readonly Paragraph[] {
	const plainText = text.replace(/&(amp|lt|gt|quot|#39);/g, (match, name: string) => decodeEntity(name) ?? match);
	const urlLinks = (entitiesFound?.urls ?? []).map(({ url, expanded_url, display_url }) => ({
		shortUrl: url,
		url: expanded_url ?? url,
		label: display_url ?? expanded_url ?? url,
	}));
	// Links to the post's own images and videos are removed.
	const mediaLinks = (entitiesFound?.media ?? []).map(({ url }) => ({ shortUrl: url, url: null, label: "" }));
	const links = [...urlLinks, ...mediaLinks].flatMap(({ shortUrl, url, label }): readonly TextLink[] => {
		const begin = plainText.indexOf(shortUrl);
		return begin < 0 ? [] : [{ begin, end: begin + shortUrl.length, url, label }];
	});
	return paragraphsOfText(plainText, links);
}

/** The preview of a link, if the post has one. */
function cardOf(card: unknown): readonly Extra[] {
	const value = z.object({ string_value: z.string().nullish() }).nullish();
	const parsed = z.object({ url: z.string(), binding_values: z.object({ title: value, description: value }) }).safeParse(card).data;
	const title = parsed?.binding_values.title?.string_value;
	if (parsed === undefined || !title) return [];
	const description = parsed.binding_values.description?.string_value;
	const suffix = description ? `: ${description}` : "";
	return [{ author: null, paragraph: { text: `${title}${suffix}`, markdown: `${linkTo(parsed.url, title)}${suffix}` } }];
}

function plain(text: string): Extra {
	return { author: null, paragraph: { text, markdown: text } };
}
