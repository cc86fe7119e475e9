/** What a repository holds: the files of its default branch, and its issues. */

import { fail, limits, type Step } from "cairn-memory";
import { z } from "zod";
import type { KeptPages } from "../kept-pages.ts";
import type { GithubApi } from "./api.ts";

export interface Repository {
	/** As configured; a renamed repository keeps it, since GitHub leads from the old name to the new one. */
	readonly name: string;
	readonly branch: string;
	/** The page for people. */
	readonly url: string;
	readonly isPrivate: boolean;
}

export interface ListedFile {
	readonly kind: "file";
	readonly repository: Repository;
	readonly path: string;
	/** The blob's hash, which names the content. */
	readonly version: string;
}

export interface ListedIssue {
	readonly kind: "issue";
	readonly repository: Repository;
	readonly number: number;
	/** When it or a comment was last changed. */
	readonly version: string;
}

const repositorySchema = z.object({ default_branch: z.string(), html_url: z.string(), private: z.boolean() });
const entrySchema = z.object({ path: z.string(), type: z.string(), mode: z.string(), sha: z.string(), size: z.number().optional() });
const treeSchema = z.object({ tree: z.array(entrySchema), truncated: z.boolean() });
const listedIssueSchema = z
	.object({ number: z.number().int(), updated_at: z.string(), pull_request: z.unknown().optional() })
	.transform(({ number, updated_at, pull_request }) => ({ number, updated_at, isPullRequest: pull_request !== undefined }));

/** Trees of one repository that are read one by one because it is too large for one answer. */
const treesMax = 2_000;
/** The mode of a symbolic link, whose content is a path. */
const linkMode = "120000";

/** Null if there is none by this name that the token may see. */
export async function readRepository(name: string, api: GithubApi, step: Step): Promise<Repository | null> {
	const found = await api.json(`/repos/${name}`, repositorySchema, step);
	return found === null ? null : { name, branch: found.default_branch, url: found.html_url, isPrivate: found.private };
}

export interface ListedFiles {
	readonly files: readonly ListedFile[];
	/** Files that would be documents and are too large. */
	readonly tooLarge: number;
	readonly isComplete: boolean;
}

/**
 * The files of the default branch, at one commit. GitHub cuts a tree of more than 100,000 entries; it is then read one folder after
 * another, see https://docs.github.com/en/rest/git/trees.
 *
 * Null if there is no tree: the repository has no commit, or the token may not see its files.
 */
export async function listFiles(
	repository: Repository,
	isWanted: (path: string) => boolean,
	api: GithubApi,
	pages: KeptPages,
	step: Step,
): Promise<ListedFiles | null> {
	const files: ListedFile[] = [];
	let tooLarge = 0;
	let reads = 0;
	const waiting: Tree[] = [{ sha: encodeURIComponent(repository.branch), prefix: "", isDeep: true }];
	for (let next = waiting.pop(); next !== undefined && reads < treesMax; next = waiting.pop(), reads++) {
		step.signal.throwIfAborted();
		const tree: Tree = next;
		const read = await pages.page(`${repository.name} ${JSON.stringify(tree)}`, () => readTree(repository, tree, isWanted, api, step));
		if (read === null && reads === 0) return null;
		// Without it the files in it would look as if they were gone.
		if (read === null) throw fail("ITEM_REFUSED", "it", `the folder ${tree.prefix} is not there`);
		waiting.push(...read.below);
		tooLarge += read.tooLarge;
		for (const [path, version] of read.files) files.push({ kind: "file", repository, path, version });
	}
	return { files, tooLarge, isComplete: waiting.length === 0 };
}

export interface Tree {
	readonly sha: string;
	readonly prefix: string;
	readonly isDeep: boolean;
}

/** Null if it is not there. */
export async function readTree(repository: Repository, at: Tree, isWanted: (path: string) => boolean, api: GithubApi, step: Step) {
	const { sha, prefix, isDeep } = at;
	const found = await api.json(`/repos/${repository.name}/git/trees/${sha}${isDeep ? "?recursive=1" : ""}`, treeSchema, step);
	if (found === null) return null;
	const files: (readonly [path: string, version: string])[] = [];
	const below: Tree[] = [];
	if (found.truncated && isDeep) return { files, tooLarge: 0, below: [{ ...at, isDeep: false }] };
	let tooLarge = 0;
	for (const entry of found.tree) {
		const path = `${prefix}${entry.path}`;
		if (entry.type === "tree" && !isDeep) below.push({ sha: entry.sha, prefix: `${path}/`, isDeep: true });
		if (entry.type !== "blob" || entry.mode === linkMode || entry.size === 0 || !isWanted(`/${path}`)) continue;
		if ((entry.size ?? 0) > limits.fileBytesMax) tooLarge++;
		else files.push([path, entry.sha]);
	}
	return { files, tooLarge, below };
}

/** All issues, the oldest first. Pull requests are left out. */
export async function listIssues(repository: Repository, api: GithubApi, pages: KeptPages, step: Step): Promise<readonly ListedIssue[]> {
	const path = `/repos/${repository.name}/issues?state=all&sort=created&direction=asc&per_page=100`;
	const issues = (await api.items(path, listedIssueSchema, step, pages)) ?? [];
	return issues.filter(({ isPullRequest }) => !isPullRequest).map(({ number, updated_at }) => ({ kind: "issue", repository, number, version: updated_at }));
}
