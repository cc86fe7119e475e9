/** Lists the chosen repositories and decides what of them are documents. */

import { ServiceError, type Step } from "cairn-memory";
import type { KeptPages } from "../kept-pages.ts";
import { pathFilter } from "../path-filter.ts";
import type { Listing as Listed } from "../sync-listing.ts";
import type { GithubApi } from "./api.ts";
import type { GithubConfig } from "./config.ts";
import { type ListedDiscussion, listDiscussions } from "./discussions.ts";
import { discussionsOf, type Entry, filesOf, issuesOf, keyOf } from "./keys.ts";
import { type Listing, listFiles, listIssues, type Repository, readRepositoryAgain } from "./repository.ts";

/** The files that the API contract names for this provider. Patterns of the client's own take any file. */
const documentName = /\.(?:md|mdx|markdown|txt|rst|adoc|org)$/i;

/** @returns whether a path of a repository, which begins with a slash, is one of those */
export function wantedFiles(config: GithubConfig): (path: string) => boolean {
	const isIncluded = pathFilter(config);
	return (path) => (config.include.length > 0 || documentName.test(path)) && isIncluded(path);
}

/**
 * What belongs to a repository that could not be read stays:
 * GitHub answers alike for a repository that is gone and for one that the token may no longer see.
 */
export async function survey(config: GithubConfig, listing: Listing): Promise<Listed<Entry>> {
	const { tags, step } = listing;
	const isWanted = wantedFiles(config);
	const found: Entry[] = [];
	const unread: string[] = [];
	const empty: string[] = [];
	let hasAny = false;
	for (const [done, name] of config.repositories.entries()) {
		step.progress({ done, total: config.repositories.length, unit: "repository" });
		const entries = await entriesOf(name, isWanted, config, listing);
		// Spread as arguments, a million of them are too many for the stack.
		for (const entry of entries.found) found.push(entry);
		unread.push(...entries.unread);
		empty.push(...entries.empty);
		hasAny ||= entries.hasAny;
	}
	tags.forgetOthers();
	const keyed = new Map(found.map((entry) => [keyOf(entry), entry]));
	// Documents of what is not chosen any more are no reason to doubt.
	const isEmpty = !hasAny && empty.some((beginning) => tags.knownBelow(beginning).length > 0);
	return { wanted: keyed, isEmpty, isGone: (key) => !unread.some((beginning) => key.startsWith(beginning)) };
}

interface Found {
	readonly found: readonly Entry[];
	/** Whether there is anything, wanted or not. */
	readonly hasAny: boolean;
	/** How the keys of what was listed as empty begin. Issues that are switched off are not listed. */
	readonly empty: readonly string[];
	/** How the keys of what could not be listed to the end begin. */
	readonly unread: readonly string[];
}

async function entriesOf(name: string, isWanted: (path: string) => boolean, config: GithubConfig, listing: Listing): Promise<Found> {
	const { api, pages, tags, step } = listing;
	try {
		const repository = await readRepositoryAgain(name, api, pages, tags, step);
		if (repository === null) return unreadable(name, "there is none by this name that the token may see", step);
		const listed = await listFiles(repository, isWanted, listing);
		const { files, tooLarge, isComplete } = listed ?? { files: [], tooLarge: 0, isComplete: false };
		if (tooLarge > 0) step.warn("GITHUB_FILES_SKIPPED", `${tooLarge} files of ${name} are too large`);
		if (listed?.isComplete === false) step.warn("GITHUB_TREE_TOO_LARGE", `${name} has too many folders; only a part of its files was listed`);
		const issues = config.issues ? await listIssues(repository, listing) : "switched off";
		if (issues === null) step.warn("GITHUB_ISSUES_FAILED", `issues of ${name} were not read: there is no list of them that the token may see`);
		const hasDiscussions = config.discussions === true;
		const discussions = hasDiscussions ? await discussionsIn(repository, api, pages, step) : [];
		const found = [...files, ...(issues === "switched off" ? [] : (issues ?? [])), ...(discussions ?? [])];
		const empty = [
			...(listed?.isEmpty === true ? [filesOf(name)] : []),
			...(issues?.length === 0 ? [issuesOf(name)] : []),
			...(hasDiscussions && discussions?.length === 0 ? [discussionsOf(name)] : []),
		];
		const unread = [
			...(isComplete ? [] : [filesOf(name)]),
			...(issues === null ? [issuesOf(name)] : []),
			...(discussions === null ? [discussionsOf(name)] : []),
		];
		return { found, hasAny: listed?.isEmpty === false || found.length > 0, empty, unread };
	} catch (thrown) {
		step.signal.throwIfAborted();
		// What is refused for one repository, by its organisation say, is not refused for all.
		if (thrown instanceof ServiceError && ["CONNECTION_FORBIDDEN", "ITEM_REFUSED"].includes(thrown.code)) return unreadable(name, thrown.message, step);
		throw thrown;
	}
}

/** Null if the token may not read them, which says nothing of files and issues. */
async function discussionsIn(repository: Repository, api: GithubApi, pages: KeptPages, step: Step): Promise<readonly ListedDiscussion[] | null> {
	const refused = (why: string) => {
		step.warn("GITHUB_DISCUSSIONS_FAILED", `discussions of ${repository.name} were not read: ${why}`);
		return null;
	};
	try {
		return (await listDiscussions(repository, api, pages, step)) ?? refused("the token may not see them");
	} catch (thrown) {
		step.signal.throwIfAborted();
		if (thrown instanceof ServiceError && ["CONNECTION_FORBIDDEN", "ITEM_REFUSED"].includes(thrown.code)) return refused(thrown.message);
		throw thrown;
	}
}

function unreadable(name: string, why: string, step: Step): Found {
	step.warn("GITHUB_REPOSITORY_FAILED", `${name} was not read: ${why}`);
	return { found: [], hasAny: false, empty: [], unread: [filesOf(name), issuesOf(name), discussionsOf(name)] };
}
