/** Reads a file, an issue or a discussion with its comments as a document. */

import { type ConnectorItem, limits, type Step } from "cairn-memory";
import { z } from "zod";
import type { GithubApi } from "./api.ts";
import { dayOf, nameOf, originOf, userSchema } from "./author.ts";
import { readDiscussion } from "./discussions.ts";
import { type Entry, keyOf } from "./keys.ts";
import type { ListedFile, ListedIssue } from "./repository.ts";

const issueSchema = z.object({
	title: z.string(),
	state: z.string(),
	body: z.string().nullish(),
	user: userSchema,
	html_url: z.string(),
	created_at: z.string(),
	comments: z.number(),
	labels: z.array(z.union([z.string(), z.object({ name: z.string().nullish() })])),
});
const commentSchema = z.object({ body: z.string().nullish(), user: userSchema, created_at: z.string() });

/** Null if it is no longer there. */
export async function readEntry(entry: Entry, api: GithubApi, step: Step): Promise<ConnectorItem | "unchanged" | null> {
	if (entry.kind === "unchanged") return "unchanged";
	if (entry.kind === "file") return readFile(entry, api, step);
	return entry.kind === "issue" ? readIssue(entry, api, step) : readDiscussion(entry, keyOf(entry), api, step);
}

async function readFile(entry: ListedFile, api: GithubApi, step: Step): Promise<ConnectorItem | null> {
	const { repository, path, version } = entry;
	const bytes = await api.raw(`/repos/${repository.name}/git/blobs/${version}`, limits.fileBytesMax, step);
	if (bytes === null) return null;
	const address = `${repository.url}/blob/${encodeURIComponent(repository.branch)}/${path.split("/").map(encodeURIComponent).join("/")}`;
	const fileName = path.split("/").at(-1)?.slice(-limits.fileNameCharactersMax) ?? null;
	return {
		key: keyOf(entry),
		content: { kind: "file", bytes, fileName, claimedMediaType: null, charset: null, address },
		title: null,
		metadata: { ...originOf(repository), path, url: address },
		containerTag: null,
	};
}

async function readIssue(entry: ListedIssue, api: GithubApi, step: Step): Promise<ConnectorItem | null> {
	const { repository, number } = entry;
	const issue = await api.json(`/repos/${repository.name}/issues/${number}`, issueSchema, step);
	if (issue === null) return null;
	const comments =
		issue.comments === 0 ? [] : ((await api.items(`/repos/${repository.name}/issues/${number}/comments?per_page=100`, commentSchema, step)) ?? []);
	const labels = issue.labels.map((label) => (typeof label === "string" ? label : (label.name ?? ""))).filter((label) => label !== "");
	const about = [`By ${nameOf(issue.user)} on ${dayOf(issue.created_at)}`, issue.state, ...(labels.length > 0 ? [`labels: ${labels.join(", ")}`] : [])];
	const said = comments.map(({ user, created_at, body }) => `## ${nameOf(user)} on ${dayOf(created_at)}\n\n${body ?? ""}`);
	return {
		key: keyOf(entry),
		content: { kind: "text", text: [`# ${issue.title}`, `${about.join(", ")}.`, issue.body ?? "", ...said].join("\n\n"), mediaType: "text/markdown" },
		title: issue.title,
		metadata: {
			...originOf(repository),
			issue: number,
			state: issue.state,
			author: nameOf(issue.user),
			createdAt: issue.created_at,
			updatedAt: entry.version,
			url: issue.html_url,
			...(labels.length > 0 && { labels: labels.join(", ") }),
		},
		containerTag: null,
	};
}
