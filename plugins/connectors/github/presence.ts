/** Whether a file, an issue or a discussion is there at this moment: asked one by one, of what a listing of several attempts did not name. */

import type { Step } from "cairn-memory";
import { z } from "zod";
import { remembered } from "../remembered.ts";
import type { GithubApi } from "./api.ts";
import type { GithubConfig } from "./config.ts";
import { hasDiscussion, seesDiscussions } from "./discussions.ts";
import { discussionsOf, filesOf, issuesOf } from "./keys.ts";
import { type Repository, readRepository, readTree, type Tree } from "./repository.ts";
import { wantedFiles } from "./survey.ts";

const issueSchema = z.object({ html_url: z.string(), pull_request: z.unknown().optional() });

/** What GitHub does not show to the token is taken to be there, unless nobody chose it. */
export function presence(config: GithubConfig, api: GithubApi, step: Step): (key: string, name: string | null) => Promise<boolean> {
	const isWanted = wantedFiles(config);
	const repositoryOf = remembered((name) => readRepository(name, api, step));
	const seesIn = remembered((name) => seesDiscussions(name, api, step));
	const trees = remembered((asked) => {
		const { repository, at } = JSON.parse(asked) as { readonly repository: Repository; readonly at: Tree };
		return readTree(repository, at, isWanted, api, step);
	});
	return async (key, name) => {
		const chosen = config.repositories.find((one) => [filesOf, issuesOf, discussionsOf].some((beginning) => key.startsWith(beginning(one))));
		if (name === null || chosen === undefined) return chosen !== undefined;
		const repository = await repositoryOf(chosen);
		if (repository === null) return true;
		const number = Number(name.slice(chosen.length + 1));
		if (name.startsWith(issuesOf(chosen))) return config.issues && hasIssue(repository, number, api, step);
		if (name.startsWith(discussionsOf(chosen))) return config.discussions === true && (!(await seesIn(chosen)) || hasDiscussion(chosen, number, api, step));
		return hasFile(repository, name.slice(chosen.length + 1), (at) => trees(JSON.stringify({ repository, at })));
	};
}

/** One that was transferred is answered from where it is now. */
async function hasIssue({ name, url }: Repository, number: number, api: GithubApi, step: Step): Promise<boolean> {
	const issue = await api.json(`/repos/${name}/issues/${number}`, issueSchema, step);
	return issue !== null && issue.pull_request === undefined && issue.html_url.startsWith(`${url}/`);
}

/** Goes down to the file, a request for each folder. */
async function hasFile({ branch }: Repository, path: string, read: (tree: Tree) => ReturnType<typeof readTree>): Promise<boolean> {
	let at: Tree | undefined = { sha: encodeURIComponent(branch), prefix: "", isDeep: false };
	while (at !== undefined) {
		const tree: Awaited<ReturnType<typeof readTree>> = await read(at);
		if (tree === null || tree === "unchanged" || tree.files.some(([found]) => found === path)) return true;
		const below = tree.below.find(({ prefix }) => path.startsWith(prefix));
		at = below && { ...below, isDeep: false };
	}
	return false;
}
