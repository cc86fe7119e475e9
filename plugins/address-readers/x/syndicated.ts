/** Reads a post by the API behind embedded posts: text with links, image descriptions, quoted post, parent post. */

import { type Extraction, fail } from "cairn-memory";
import { z } from "zod";
import { type Asked, ask, changed, demandSuccess, gone, hidden, jsonOf } from "../ask.ts";
import { linkTo, type Paragraph, paragraphsOfText, type TextLink } from "../paragraph.ts";
import { entityOf } from "../post-html.ts";
import { type Author, type Extra, extractionOf, type Post, timeAt } from "../thread.ts";

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

export async function syndicated(service: string, id: string, asked: Asked): Promise<Extraction> {
	const fetched = await ask(asked, `${service}/tweet-result?${new URLSearchParams({ id, lang: "en", token: tokenOf(id) })}`);
	// A post missing here may be available by oEmbed.
	if (fetched.status === 404) throw changed(fetched.address, "it knows no such post");
	demandSuccess(fetched, asked);
	const answer = jsonOf(fetched, z.looseObject({}));
	if (Object.keys(answer).length === 0) throw changed(fetched.address, "its answer is empty");
	refuseTombstone(answer, asked);
	return extraction(jsonOf(fetched, post), id, asked);
}

/** The token computed by the script for embedded posts; without it the response is empty. */
function tokenOf(id: string): string {
	return ((Number(id) / 1e15) * Math.PI).toString(36).replace(/(0+|\.)/g, "");
}

function refuseTombstone(answer: unknown, { about }: Asked): void {
	const read = tombstone.safeParse(answer).data;
	if (read === undefined) return;
	const why = read.tombstone?.text.text.replace(/\s*Learn more\s*$/i, "").trim() ?? "it is no longer shown";
	throw /protect|limit|adult|sign in|log in/i.test(why) ? hidden(about, why) : gone(about, why);
}

function extraction(tweet: Tweet, id: string, { step }: Asked): Extraction {
	if (tweet.note_tweet != null) step.warn("POST_CUT", "the public interface shows only the beginning of this long post");
	const parent = tweet.parent == null ? [] : [postOf(tweet.parent, null, 0)];
	const main = postOf(tweet, tweet.quoted_tweet ?? null, parent.length);
	if (main.words.length === 0 && main.extras.length === 0) throw fail("CONTENT_EMPTY");
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
	return { author: authorOf(tweet), at: timeAt(tweet.created_at), words: wordsOf(tweet), depth, extras };
}

function authorOf({ user: { name, screen_name } }: Base): Author {
	return { name, handle: `@${screen_name}` };
}

/** Short links are found by their text, since the given offsets count the unescaped text. */
function wordsOf({ text, entities: found }: Base): readonly Paragraph[] {
	const plainText = text.replace(/&(amp|lt|gt|quot|#39);/g, (all, name: string) => entityOf(name) ?? all);
	const shown = (found?.urls ?? []).map(({ url, expanded_url, display_url }) => ({
		url,
		address: expanded_url ?? url,
		words: display_url ?? expanded_url ?? url,
	}));
	// Links to images are removed.
	const left = (found?.media ?? []).map(({ url }) => ({ url, address: null, words: "" }));
	const links = [...shown, ...left].flatMap(({ url, address, words }): readonly TextLink[] => {
		const begin = plainText.indexOf(url);
		return begin < 0 ? [] : [{ begin, end: begin + url.length, address, words }];
	});
	return paragraphsOfText(plainText, links);
}

/** The preview of a link. */
function cardOf(card: unknown): readonly Extra[] {
	const value = z.object({ string_value: z.string().nullish() }).nullish();
	const read = z.object({ url: z.string(), binding_values: z.object({ title: value, description: value }) }).safeParse(card).data;
	const title = read?.binding_values.title?.string_value;
	if (read === undefined || !title) return [];
	const about = read.binding_values.description?.string_value;
	const tail = about ? `: ${about}` : "";
	return [{ author: null, paragraph: { text: `${title}${tail}`, markdown: `${linkTo(read.url, title)}${tail}` } }];
}

function plain(text: string): Extra {
	return { author: null, paragraph: { text, markdown: text } };
}
