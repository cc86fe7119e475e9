/** Discussions of a repository, which only GraphQL has: https://docs.github.com/en/graphql/guides/using-the-graphql-api-for-discussions */

import type { ConnectorItem, Step } from "cairn-memory";
import { z } from "zod";
import type { KeptPages } from "../kept-pages.ts";
import { neverTwice } from "../never-twice.ts";
import type { GithubApi } from "./api.ts";
import { dayOf, nameOf, originOf, userSchema } from "./author.ts";
import { provider } from "./config.ts";
import type { Repository } from "./repository.ts";

export interface ListedDiscussion {
	readonly kind: "discussion";
	readonly repository: Repository;
	readonly number: number;
	/** When it was last changed, and how many comments it has. */
	readonly version: string;
}

/** Ten thousand pages of a hundred: a service that goes on forever is left. */
const pagesMax = 10_000;
const pageInfo = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() });
const listed = z.object({ number: z.number().int(), updatedAt: z.string(), comments: z.object({ totalCount: z.number() }) });
const listedPage = z.object({ nodes: z.array(listed), pageInfo });
type ListedPage = z.infer<typeof listedPage>;
const listSchema = z.object({ repository: z.object({ discussions: listedPage }).nullable() });
/** Every connection has to have a limit, a hundred at most. */
const listQuery = `query($owner: String!, $name: String!, $after: String) {
	repository(owner: $owner, name: $name) {
		discussions(first: 100, after: $after, orderBy: { field: CREATED_AT, direction: ASC }) {
			nodes { number updatedAt comments(first: 1) { totalCount } }
			pageInfo { hasNextPage endCursor }
		}
	}
}`;

/** All discussions, the oldest first. Null if the token may not see them, or sees them no more on a later page. */
export async function listDiscussions(repository: Repository, api: GithubApi, kept: KeptPages, step: Step): Promise<readonly ListedDiscussion[] | null> {
	const found: ListedDiscussion[] = [];
	let after: string | null = null;
	const demandNew = neverTwice(provider);
	for (let pages = 0; pages < pagesMax; pages++) {
		step.signal.throwIfAborted();
		demandNew(after ?? "");
		const at: Readonly<Record<string, string | null>> = { ...namesOf(repository), after };
		const page: z.infer<typeof listSchema> | null = await kept.page(`discussions ${JSON.stringify(at)}`, () => api.graphql(listQuery, at, listSchema, step));
		if (page?.repository == null) return null;
		const { nodes, pageInfo: info }: ListedPage = page.repository.discussions;
		for (const { number, updatedAt, comments } of nodes) found.push({ kind: "discussion", repository, number, version: `${updatedAt} ${comments.totalCount}` });
		if (!info.hasNextPage) return found;
		after = info.endCursor;
		// From the beginning it would go round in a circle, and what is behind would look as if it were gone.
		if (after === null) return null;
	}
	return found;
}

const seenSchema = z.object({ repository: z.object({ discussions: z.object({ totalCount: z.number() }) }).nullable() });
const seenQuery = `query($owner: String!, $name: String!) {
	repository(owner: $owner, name: $name) { discussions(first: 1) { totalCount } }
}`;

/** Whether the token may see discussions of a repository. */
export async function seesDiscussions(repository: string, api: GithubApi, step: Step): Promise<boolean> {
	return (await api.graphql(seenQuery, namesOf({ name: repository }), seenSchema, step))?.repository != null;
}

const thereSchema = z.object({ repository: z.object({ discussion: z.object({ number: z.number() }).nullable() }).nullable() });
const thereQuery = `query($owner: String!, $name: String!, $number: Int!) {
	repository(owner: $owner, name: $name) { discussion(number: $number) { number } }
}`;

export async function hasDiscussion(repository: string, number: number, api: GithubApi, step: Step): Promise<boolean> {
	return (await api.graphql(thereQuery, { ...namesOf({ name: repository }), number }, thereSchema, step))?.repository?.discussion != null;
}

const said = { body: z.string(), createdAt: z.string(), author: userSchema };
const reply = z.object(said);
const replies = z.object({ nodes: z.array(reply), pageInfo });
const comment = z.object({ ...said, id: z.string(), isAnswer: z.boolean(), replies });
const comments = z.object({ nodes: z.array(comment), pageInfo });
const discussionSchema = z.object({
	repository: z
		.object({
			discussion: z
				.object({
					...{ ...said, title: z.string(), url: z.string(), updatedAt: z.string(), closed: z.boolean(), isAnswered: z.boolean().nullish() },
					...{ category: z.object({ name: z.string() }), labels: z.object({ nodes: z.array(z.object({ name: z.string() })) }).nullish(), comments },
				})
				.nullable(),
		})
		.nullable(),
});
const saidFields = "body createdAt author { login }";
const repliesFields = `nodes { ${saidFields} } pageInfo { hasNextPage endCursor }`;
const discussionQuery = `query($owner: String!, $name: String!, $number: Int!, $after: String) {
	repository(owner: $owner, name: $name) {
		discussion(number: $number) {
			title url updatedAt closed isAnswered ${saidFields}
			category { name } labels(first: 20) { nodes { name } }
			comments(first: 100, after: $after) {
				nodes { id isAnswer ${saidFields} replies(first: 100) { ${repliesFields} } }
				pageInfo { hasNextPage endCursor }
			}
		}
	}
}`;
const moreRepliesSchema = z.object({ node: z.object({ replies }).nullable() });
const moreRepliesQuery = `query($id: ID!, $after: String) {
	node(id: $id) { ... on DiscussionComment { replies(first: 100, after: $after) { ${repliesFields} } } }
}`;

/** Null if it is no longer there. */
export async function readDiscussion({ repository, number }: ListedDiscussion, key: string, api: GithubApi, step: Step): Promise<ConnectorItem | null> {
	const readPage = async (after: string | null) =>
		(await api.graphql(discussionQuery, { ...namesOf(repository), number, after }, discussionSchema, step))?.repository?.discussion ?? null;
	const discussion = await readPage(null);
	if (discussion === null) return null;
	const parts: string[] = [];
	let page: z.infer<typeof comments> | undefined = discussion.comments;
	for (let pages = 0; page !== undefined && pages < pagesMax; pages++) {
		for (const one of page.nodes) parts.push(...(await threadOf(one, api, step)));
		const { hasNextPage, endCursor }: z.infer<typeof pageInfo> = page.pageInfo;
		const next: Awaited<ReturnType<typeof readPage>> | undefined = hasNextPage ? await readPage(endCursor) : undefined;
		// It was deleted while it was read.
		if (next === null) return null;
		page = next?.comments;
	}
	const { title, category, closed, author, createdAt, updatedAt, url, body, isAnswered } = discussion;
	const labels = discussion.labels?.nodes.map(({ name }) => name) ?? [];
	const about = [
		`By ${nameOf(author)} on ${dayOf(createdAt)}`,
		`in ${category.name}`,
		...(isAnswered === true ? ["answered"] : []),
		...(closed ? ["closed"] : []),
	];
	return {
		key,
		content: { kind: "text", text: [`# ${title}`, `${about.join(", ")}.`, body, ...parts].join("\n\n"), mediaType: "text/markdown" },
		title,
		metadata: {
			...{ ...originOf(repository), discussion: number, category: category.name, state: closed ? "closed" : "open", answered: isAnswered === true },
			...{ author: nameOf(author), createdAt, updatedAt, url },
			...(labels.length > 0 && { labels: labels.join(", ") }),
		},
		containerTag: null,
	};
}

/** A comment and its replies. */
async function threadOf(one: z.infer<typeof comment>, api: GithubApi, step: Step): Promise<readonly string[]> {
	const parts = [`## ${nameOf(one.author)} on ${dayOf(one.createdAt)}${one.isAnswer ? " (the answer)" : ""}\n\n${one.body}`];
	let page: z.infer<typeof replies> | undefined = one.replies;
	for (let pages = 0; page !== undefined && pages < pagesMax; pages++) {
		step.signal.throwIfAborted();
		parts.push(...page.nodes.map(({ author, createdAt, body }) => `### ${nameOf(author)} on ${dayOf(createdAt)}\n\n${body}`));
		const { hasNextPage, endCursor }: z.infer<typeof pageInfo> = page.pageInfo;
		page = hasNextPage ? (await api.graphql(moreRepliesQuery, { id: one.id, after: endCursor }, moreRepliesSchema, step))?.node?.replies : undefined;
	}
	return parts;
}

function namesOf({ name: full }: Pick<Repository, "name">) {
	const [owner = "", name = ""] = full.split("/");
	return { owner, name };
}
