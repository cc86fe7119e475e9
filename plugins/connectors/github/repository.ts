/** What a repository holds: the files of its default branch, and its issues. */

import { fail, limits, type Step } from "cairn-memory";
import { z } from "zod";
import type { KeptPages } from "../kept-pages.ts";
import { neverTwice } from "../never-twice.ts";
import { type GithubApi, pagesMax } from "./api.ts";
import { provider } from "./config.ts";
import { filesOf, issuesOf, keyOf } from "./keys.ts";
import type { Tags } from "./tags.ts";

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

/** An item of a list of which GitHub says that it has not changed. */
export interface Unchanged {
	readonly kind: "unchanged";
	readonly key: string;
	/** In which the connection knows it. */
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
	return found === null ? null : repositoryOf(name, found);
}

/** The same, at no cost where nothing has changed. */
export async function readRepositoryAgain(name: string, api: GithubApi, pages: KeptPages, tags: Tags, step: Step): Promise<Repository | null> {
	const path = `/repos/${name}`;
	const before = tags.before<RepositoryFields>(path, () => []);
	const found = await pages.page(name, () => api.ask(path, repositorySchema, step, before?.etag));
	if (found === null || found === "gone") return null;
	if (found !== "unchanged") {
		tags.keep(path, found.etag, found.value, []);
		return repositoryOf(name, found.value);
	}
	tags.keepOn(path);
	return before === null ? null : repositoryOf(name, before.brief);
}

type RepositoryFields = z.infer<typeof repositorySchema>;

function repositoryOf(name: string, { default_branch, html_url, private: isPrivate }: RepositoryFields): Repository {
	return { name, branch: default_branch, url: html_url, isPrivate };
}

export interface ListedFiles {
	readonly files: readonly (ListedFile | Unchanged)[];
	/** Files that would be documents and are too large. */
	readonly tooLarge: number;
	/** Whether there is nothing at all, not even what is left out. */
	readonly isEmpty: boolean;
	readonly isComplete: boolean;
}

/** What lists of a repository are made with. */
export interface Listing {
	readonly api: GithubApi;
	readonly pages: KeptPages;
	readonly tags: Tags;
	readonly step: Step;
}

/**
 * The files of the default branch, at one commit. GitHub cuts a tree of more than 100,000 entries; it is then read one folder after
 * another, see https://docs.github.com/en/rest/git/trees. Where the tree at the top is the same, so is all below.
 *
 * Null if there is no tree: the repository has no commit, or the token may not see its files.
 */
export async function listFiles(repository: Repository, isWanted: (path: string) => boolean, listing: Listing): Promise<ListedFiles | null> {
	const { api, pages, tags, step } = listing;
	const top: Tree = { sha: encodeURIComponent(repository.branch), prefix: "", isDeep: true };
	const address = addressOf(repository, top);
	const keys = tags.knownBelow(filesOf(repository.name));
	const before = tags.before<{ tooLarge: number }>(address, () => keys);
	const files: ListedFile[] = [];
	let [tooLarge, reads, etag, isEmpty] = [0, 0, null as string | null, false];
	const waiting: Tree[] = [top];
	for (let next = waiting.pop(); next !== undefined && reads < treesMax; next = waiting.pop(), reads++) {
		step.signal.throwIfAborted();
		const tree: Tree = next;
		const asked = tree === top ? before : null;
		const read = await pages.page(`${repository.name} ${JSON.stringify(tree)}`, () => readTree(repository, tree, isWanted, api, step, asked?.etag));
		if (read === null && reads === 0) return null;
		if (read === "unchanged" && before !== null) {
			tags.keepOn(address);
			return { files: tags.known(keys).map(([key, version]) => ({ kind: "unchanged", key, version })), ...before.brief, isEmpty, isComplete: true };
		}
		// Without it the files in it would look as if they were gone.
		if (read === null || read === "unchanged") throw fail("ITEM_REFUSED", "it", `the folder ${tree.prefix} is not there`);
		if (tree === top) [etag, isEmpty] = [read.etag, read.isEmpty === true];
		waiting.push(...read.below);
		tooLarge += read.tooLarge;
		for (const [path, version] of read.files) files.push({ kind: "file", repository, path, version });
	}
	const isComplete = waiting.length === 0;
	tags.keep(
		address,
		isComplete ? etag : null,
		{ tooLarge },
		files.map((file) => [keyOf(file), file.version] as const),
	);
	return { files, tooLarge, isEmpty, isComplete };
}

export interface Tree {
	readonly sha: string;
	readonly prefix: string;
	readonly isDeep: boolean;
}

/** Null if it is not there. @param etag of an earlier answer */
export async function readTree(repository: Repository, at: Tree, isWanted: (path: string) => boolean, api: GithubApi, step: Step, etag: string | null = null) {
	const { prefix, isDeep } = at;
	const answer = await api.ask(addressOf(repository, at), treeSchema, step, etag);
	if (answer === null || answer === "gone") return null;
	if (answer === "unchanged") return answer;
	const { value: found, etag: newTag } = answer;
	const files: (readonly [path: string, version: string])[] = [];
	const below: Tree[] = [];
	if (found.truncated && isDeep) return { files, tooLarge: 0, below: [{ ...at, isDeep: false }], isEmpty: false, etag: newTag };
	let tooLarge = 0;
	for (const entry of found.tree) {
		const path = `${prefix}${entry.path}`;
		if (entry.type === "tree" && !isDeep) below.push({ sha: entry.sha, prefix: `${path}/`, isDeep: true });
		if (entry.type !== "blob" || entry.mode === linkMode || entry.size === 0 || !isWanted(`/${path}`)) continue;
		if ((entry.size ?? 0) > limits.fileBytesMax) tooLarge++;
		else files.push([path, entry.sha]);
	}
	return { files, tooLarge, below, isEmpty: found.tree.length === 0, etag: newTag };
}

function addressOf({ name }: Repository, { sha, isDeep }: Tree): string {
	return `/repos/${name}/git/trees/${sha}${isDeep ? "?recursive=1" : ""}`;
}

/** GitHub's largest page. */
const issuesPerPage = 100;

/**
 * All issues, the oldest first. Pull requests are left out. `since` would list what was updated alone, and say nothing of what was deleted or
 * transferred; pages that are as they were cost nothing either. Null where there is no list, or none for this token.
 */
export async function listIssues(
	repository: Repository,
	{ api, pages, tags, step }: Listing,
): Promise<readonly (ListedIssue | Unchanged)[] | "switched off" | null> {
	const { name } = repository;
	const issues: (ListedIssue | Unchanged)[] = [];
	let url: string | null = `/repos/${name}/issues?state=all&sort=created&direction=asc&per_page=${issuesPerPage}`;
	const demandNew = neverTwice(provider);
	for (let page = 0; url !== null && page < pagesMax; page++) {
		step.signal.throwIfAborted();
		demandNew(url);
		const at: string = url;
		const keysOf = ({ numbers }: IssuePage) => numbers.map((number) => `${issuesOf(name)}${number}`);
		const before = tags.before<IssuePage>(at, keysOf);
		const answer: Awaited<ReturnType<typeof ask>> = await pages.page(at, ask);
		if (answer === null && page === 0) return null;
		if (answer === "gone" && page === 0) return "switched off";
		// A list that ends in the middle would look like one of which the rest is gone.
		if (answer === null || answer === "gone" || (answer === "unchanged" && before === null))
			throw fail("ITEM_REFUSED", "it", `page ${page + 1} of a list is not there`);
		if (answer === "unchanged") {
			tags.keepOn(at);
			for (const [key, version] of tags.known(before === null ? [] : keysOf(before.brief))) issues.push({ kind: "unchanged", key, version });
			url = before?.brief.next ?? null;
			continue;
		}
		const found = answer.value.filter(({ isPullRequest }) => !isPullRequest);
		const listed = found.map(({ number, updated_at }) => ({ kind: "issue", repository, number, version: updated_at }) as const);
		issues.push(...listed);
		url = answer.next;
		// The tag is of the page: whether it also changes with what comes behind a full one, GitHub does not say.
		const mayGoOn = url === null && answer.value.length >= issuesPerPage;
		const brief = { numbers: found.map(({ number }) => number), next: url };
		tags.keep(
			at,
			mayGoOn ? null : answer.etag,
			brief,
			listed.map((issue) => [keyOf(issue), issue.version] as const),
		);

		function ask() {
			return api.ask(at, z.array(listedIssueSchema), step, before?.etag);
		}
	}
	return issues;
}

type IssuePage = { readonly numbers: readonly number[]; readonly next: string | null };
