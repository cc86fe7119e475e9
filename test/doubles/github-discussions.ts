/**
 * The part of GitHub's GraphQL API that has discussions, with the types of
 * https://docs.github.com/en/graphql/guides/using-the-graphql-api-for-discussions and https://docs.github.com/en/graphql/reference/objects
 * (read in November 2026). A field that GitHub does not have is refused by the schema, a list without `first` as GitHub refuses it.
 */

import { buildSchema, GraphQLError, graphqlSync } from "graphql";

interface Said {
	/** Null for an account that was deleted. */
	author: string | null;
	body: string;
}

export interface PeerDiscussion extends Said {
	number: number;
	title: string;
	category: string;
	updatedAt: string;
	closed: boolean;
	isAnswered: boolean | null;
	labels: string[];
	comments: (Said & { isAnswer?: boolean; replies?: Said[] })[];
}

export function peerDiscussion(number: number, more: Partial<PeerDiscussion> = {}): PeerDiscussion {
	const plain = { title: `Discussion ${number}`, author: "ada", body: `Body of ${number}.`, category: "General", closed: false, isAnswered: null, labels: [] };
	return { number, updatedAt: "2026-03-01T10:00:00Z", comments: [], ...structuredClone(plain), ...more };
}

const schema = buildSchema(`
	scalar DateTime
	scalar URI
	interface Actor { login: String! }
	type User implements Actor { login: String! }
	type PageInfo { endCursor: String hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String }
	type Label { name: String! }
	type LabelConnection { nodes: [Label] totalCount: Int! }
	type DiscussionCategory { name: String! emoji: String! isAnswerable: Boolean! }
	interface Node { id: ID! }
	type DiscussionComment implements Node {
		id: ID! author: Actor body: String! createdAt: DateTime! updatedAt: DateTime! isAnswer: Boolean! url: URI!
		replies(after: String, before: String, first: Int, last: Int): DiscussionCommentConnection!
	}
	type DiscussionCommentConnection { nodes: [DiscussionComment] pageInfo: PageInfo! totalCount: Int! }
	type Discussion implements Node {
		id: ID! number: Int! title: String! body: String! author: Actor createdAt: DateTime! updatedAt: DateTime! url: URI!
		closed: Boolean! isAnswered: Boolean category: DiscussionCategory! locked: Boolean!
		labels(after: String, before: String, first: Int, last: Int): LabelConnection
		comments(after: String, before: String, first: Int, last: Int): DiscussionCommentConnection!
	}
	enum DiscussionOrderField { CREATED_AT UPDATED_AT }
	enum OrderDirection { ASC DESC }
	input DiscussionOrder { field: DiscussionOrderField! direction: OrderDirection! }
	type DiscussionConnection { nodes: [Discussion] pageInfo: PageInfo! totalCount: Int! }
	type Repository {
		nameWithOwner: String!
		discussion(number: Int!): Discussion
		discussions(after: String, before: String, first: Int, last: Int, categoryId: ID, answered: Boolean, orderBy: DiscussionOrder): DiscussionConnection!
	}
	type Query {
		repository(owner: String!, name: String!, followRenames: Boolean): Repository
		node(id: ID!): Node
	}
`);

interface Holder {
	readonly repositories: ReadonlyMap<string, { readonly discussions: readonly PeerDiscussion[]; readonly hidesCursors?: boolean }>;
	readonly renamed: ReadonlyMap<string, string>;
	readonly graphqlError: { readonly type: string; readonly message: string } | null;
}

/** @param body the request: a query and its variables */
export function discussionsReply(body: string, peer: Holder): object {
	if (peer.graphqlError !== null) return { data: null, errors: [peer.graphqlError] };
	const { query, variables } = JSON.parse(body) as { query: string; variables: Record<string, unknown> };
	const { data, errors } = graphqlSync({ schema, source: query, variableValues: variables, rootValue: rootOf(peer) });
	if (errors === undefined) return { data };
	return { data: data ?? null, errors: errors.map(({ message, path, extensions }) => ({ type: extensions["type"], path, message })) };
}

function rootOf({ repositories, renamed }: Holder) {
	return {
		repository: ({ owner, name }: { owner: string; name: string }) => {
			const full = renamed.get(`${owner}/${name}`) ?? `${owner}/${name}`;
			const repository = repositories.get(full);
			if (repository === undefined) throw refusal("NOT_FOUND", `Could not resolve to a Repository with the name '${full}'.`);
			return repositoryOf(full, repository.discussions, repository.hidesCursors ?? false);
		},
		node: ({ id }: { id: string }) => {
			const all = [...repositories].flatMap(([full, { discussions }]) =>
				discussions.flatMap((one) => one.comments.map((comment, at) => commentOf(comment, `${full}-${one.number}-${at}`))),
			);
			const found = all.find((comment) => comment.id === id);
			if (found === undefined) throw refusal("NOT_FOUND", `Could not resolve to a node with the global id of '${id}'.`);
			return { __typename: "DiscussionComment", ...found };
		},
	};
}

function repositoryOf(full: string, discussions: readonly PeerDiscussion[], hidesCursors: boolean) {
	const shown = (one: PeerDiscussion) => ({
		...{
			...one,
			...saidBy(one, `${full}-${one.number}`),
			updatedAt: one.updatedAt,
			locked: false,
			url: `https://github.example/${full}/discussions/${one.number}`,
		},
		...{ category: { name: one.category, emoji: "x", isAnswerable: false } },
		labels: pageOf(one.labels.map((name) => ({ name }))),
		comments: pageOf(one.comments.map((comment, at) => commentOf(comment, `${full}-${one.number}-${at}`))),
	});
	return {
		nameWithOwner: full,
		discussion: ({ number }: { number: number }) => {
			const found = discussions.find((one) => one.number === number);
			if (found === undefined) throw refusal("NOT_FOUND", `Could not resolve to a Discussion with the number of ${number}.`);
			return shown(found);
		},
		// Only those of the page: there may be thousands.
		discussions: (paging: Paging) =>
			pageOf(
				discussions.toSorted((a, b) => a.number - b.number),
				shown,
				hidesCursors,
			)(paging),
	};
}

const commentOf = (comment: PeerDiscussion["comments"][number], id: string) => ({
	...{ ...saidBy(comment, id), isAnswer: comment.isAnswer ?? false },
	replies: pageOf((comment.replies ?? []).map((one, at) => ({ ...saidBy(one, `${id}-${at}`), isAnswer: false, replies: pageOf([]) }))),
});

const saidBy = ({ author, body }: Said, id: string) => ({
	...{ id, body, createdAt: "2026-02-02T08:00:00Z", updatedAt: "2026-02-02T08:00:00Z", url: `https://github.example/${id}` },
	author: author === null ? null : { __typename: "User", login: author },
});

interface Paging {
	readonly first?: number;
	readonly after?: string | null;
}

/** https://docs.github.com/en/graphql/overview/rate-limits-and-node-limits-for-the-graphql-api: `first` is needed, from 1 to 100. */
function pageOf<One extends object>(all: readonly One[], shown: (one: One) => object = (one) => one, hidesCursors = false) {
	return ({ first, after }: Paging) => {
		if (first === undefined) throw refusal("MISSING_PAGINATION_BOUNDARIES", "You must provide a `first` or `last` value to properly paginate.");
		if (first < 1 || first > 100) throw refusal("EXCESSIVE_PAGINATION", `Requesting ${first} records exceeds the \`first\` limit of 100 records.`);
		const from = Number(after ?? 0);
		const hasNextPage = from + first < all.length;
		return {
			nodes: all.slice(from, from + first).map(shown),
			totalCount: all.length,
			pageInfo: { hasNextPage, hasPreviousPage: from > 0, endCursor: hidesCursors ? null : String(from + first) },
		};
	};
}

function refusal(type: string, message: string): GraphQLError {
	return new GraphQLError(message, { extensions: { type } });
}
