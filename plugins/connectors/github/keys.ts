/** The keys of what a repository holds, which begin with its name and a sign for what it is. */

import { itemKey } from "../item-key.ts";
import type { ListedDiscussion } from "./discussions.ts";
import type { ListedFile, ListedIssue, Unchanged } from "./repository.ts";

export type Entry = ListedFile | ListedIssue | ListedDiscussion | Unchanged;

export function keyOf(entry: Entry): string {
	return entry.kind === "unchanged" ? entry.key : itemKey(nameOf(entry));
}

/** The whole name, of which the key of a long one has only the beginning. */
export function nameOf(entry: Exclude<Entry, Unchanged>): string {
	const { name } = entry.repository;
	if (entry.kind === "file") return `${filesOf(name)}${entry.path}`;
	return `${entry.kind === "issue" ? issuesOf(name) : discussionsOf(name)}${entry.number}`;
}

export const filesOf = (repository: string) => `${repository}/`;
export const issuesOf = (repository: string) => `${repository}#`;
/** No name of a repository has the sign. Issues and discussions are numbered together. */
export const discussionsOf = (repository: string) => `${repository}!`;
