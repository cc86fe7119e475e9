/** Posts and their replies → an extraction: a heading with author and time, then the posts with their speakers. */

import { type About, completeExtraction, type DocumentType, type Extraction, type ReadableBlock, type Step } from "cairn-memory";
import type { Paragraph } from "./paragraph.ts";

export interface Author {
	/** The display name. */
	readonly name: string;
	/** `@ada`, with the `@`; null where there are only names. */
	readonly handle: string | null;
}

export interface Post {
	readonly author: Author;
	readonly at: Date | null;
	readonly words: readonly Paragraph[];
	/** 0 for the first post of the thread, 1 for a reply to it. */
	readonly depth: number;
	/** Attached content: a quoted post, an image description, a link preview. */
	readonly extras: readonly Extra[];
}

export interface Extra {
	/** The author of a quotation; null when it is the post's own author, or unknown. */
	readonly author: Author | null;
	readonly paragraph: Paragraph;
}

export interface Thread {
	/** In reading order: a reply follows its parent. */
	readonly posts: readonly Post[];
	/** The post that the address names. */
	readonly main: Post;
	/** Where posts have titles. */
	readonly title?: string | null;
	readonly type: DocumentType;
	readonly siteName: string;
	readonly language?: string | null;
	readonly canonical: string;
	readonly image?: string | null;
}

/** Longer threads are cut. */
const postsMax = 5_000;
const wordsInTitleMax = 80;
const headingLevelMax = 6;

export function extractionOf({ posts, main, title = null, ...thread }: Thread, step: Step): Extraction {
	if (posts.length > postsMax) step.warn("REPLIES_LEFT_OUT", `of ${posts.length} posts the first ${postsMax} were read`);
	const shown = posts.slice(0, postsMax);
	const name = `Post by ${nameOf(main.author)}`;
	const firstWords = main.words[0]?.text.replace(/\s+/g, " ") ?? "";
	const top = title === null || title.trim() === "" ? [] : [heading(1, title)];
	const headed = top.length > 0 ? [title ?? ""] : [];
	return completeExtraction({
		blocks: [...top, ...blocksOf(shown, headed)],
		titles: [title, firstWords === "" ? name : `${name}: ${shorten(firstWords, wordsInTitleMax)}`],
		description: main.words.map(({ text }) => text).join(" ") || title,
		language: thread.language,
		type: thread.type,
		about: aboutOf(main, thread),
	});
}

function aboutOf({ author, at }: Post, { siteName, canonical, image }: Pick<Thread, "siteName" | "canonical" | "image">): About {
	return {
		author: nameOf(author),
		siteName,
		canonical,
		...(at !== null && { publishedAt: at.toISOString() }),
		...(image != null && { image }),
	};
}

function blocksOf(posts: readonly Post[], headed: readonly string[]): readonly ReadableBlock[] {
	const path: string[] = [];
	return posts.flatMap((post) => {
		const level = Math.min(2 + post.depth, headingLevelMax);
		const line = `${nameOf(post.author)}${post.at === null ? "" : `, ${timeOf(post.at)}`}`;
		path.length = Math.min(path.length, level - 2);
		const above = [...headed, ...path];
		path.push(line);
		const below = [...above, line];
		const own = post.words.map((paragraph, i) => said(i === 0 ? post.author : null, paragraph, below));
		const extras = post.extras.map(({ author, paragraph }) => said(author, paragraph, below));
		if (own.length + extras.length === 0) return [];
		return [{ ...heading(level, line), headings: above }, ...own, ...extras];
	});
}

function heading(level: number, text: string): ReadableBlock {
	return { kind: "heading", level, text: text.replace(/\s+/g, " ").trim(), headings: [], place: {} };
}

/**
 * The name is in bold before the text, so that readers recognise any handle as a name. A cue has a speaker as well, but as plain
 * text, where `sea_dog` does not look like a name.
 */
function said(author: Author | null, { text, markdown }: Paragraph, headings: readonly string[]): ReadableBlock {
	const label = author === null ? "" : `**${speakerOf(author)}:** `;
	return { kind: "paragraph", text: label + text, markdown: label + markdown, headings, place: {} };
}

/** A colon or a star would end the name too early. */
function speakerOf({ name, handle }: Author): string {
	const clean = (text: string) => shorten(text.replace(/[:*\s]+/g, " ").trim(), 40);
	return clean(name) || clean(handle ?? "") || "somebody";
}

export function nameOf({ name, handle }: Author): string {
	const clean = shorten(name.replace(/\s+/g, " ").trim(), 60);
	if (handle === null || clean.toLowerCase() === handle.toLowerCase()) return clean;
	return clean === "" ? handle : `${clean} (${handle})`;
}

/** To the minute. */
function timeOf(at: Date): string {
	return `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

function shorten(text: string, charactersMax: number): string {
	if (text.length <= charactersMax) return text;
	const cut = text.slice(0, charactersMax - 1);
	const blank = cut.lastIndexOf(" ");
	return `${(blank > charactersMax / 2 ? cut.slice(0, blank) : cut).toWellFormed()}…`;
}

/** From seconds since 1970, or a written date; null when it is no time. */
export function timeAt(written: string | number | null | undefined): Date | null {
	if (written === null || written === undefined) return null;
	const date = new Date(typeof written === "number" ? written * 1_000 : written);
	return Number.isNaN(date.getTime()) ? null : date;
}
