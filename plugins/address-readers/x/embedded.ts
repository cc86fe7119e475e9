/** Reads a post by oEmbed: the text in the embed markup, its author, and the day. */

import type { Extraction } from "cairn-memory";
import { z } from "zod";
import { type Asked, ask, changed, demandSuccess, hidden, jsonOf } from "../ask.ts";
import { paragraphsOfHtml, plainOf } from "../post-html.ts";
import { extractionOf } from "../thread.ts";

const answer = z.object({ author_name: z.string(), author_url: z.string().nullish(), html: z.string().min(1), url: z.string().nullish() });

/** Enough for the longest posts with their markup. */
const htmlCharactersMax = 100_000;

export async function embedded(service: string, id: string, asked: Asked): Promise<Extraction> {
	const [, user = "i"] = /^\/(\w{1,20})\/status/.exec(asked.about.pathname) ?? [];
	const query = new URLSearchParams({ url: `https://twitter.com/${user}/status/${id}`, omit_script: "1", dnt: "true", lang: "en" });
	const fetched = await ask(asked, `${service}/oembed?${query}`);
	if (fetched.status === 403) throw hidden(asked.about, "its author shows it to followers only");
	demandSuccess(fetched, asked);
	const { author_name, author_url, html, url } = jsonOf(fetched, answer);
	const [, attributes = "", said = "", after = ""] = /<p([^>]*)>([\s\S]*?)<\/p>([\s\S]*)/i.exec(html.slice(0, htmlCharactersMax)) ?? [];
	const words = paragraphsOfHtml(said);
	if (words.length === 0) throw changed(fetched.address, "html: holds no words");
	const handle = /^https?:\/\/[^/]+\/(\w+)\/?$/.exec(author_url ?? "")?.[1];
	const main = { author: { name: author_name, handle: handle === undefined ? null : `@${handle}` }, at: dayOf(after), words, depth: 0, extras: [] };
	asked.step.warn("POST_CUT", "only its words and its day were to be had: neither pictures nor what it quotes");
	const language = /\blang="([\w-]+)"/i.exec(attributes)?.[1] ?? null;
	const canonical = url?.startsWith("https://") === true ? url : asked.about.href;
	return extractionOf({ posts: [main], main, type: "tweet", siteName: "X", language, canonical }, asked.step);
}

/** `— Ada (@ada) March 21, 2006`: the date is in the last link. */
function dayOf(html: string): Date | null {
	const [, month = "", day = "", year = ""] = /([A-Z][a-z]+) (\d{1,2}), (\d{4})/.exec(plainOf(html)) ?? [];
	const date = new Date(`${day} ${month} ${year} 00:00:00 GMT`);
	return Number.isNaN(date.getTime()) ? null : date;
}
