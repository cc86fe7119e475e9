/** Whom files of Dropbox are shared with: members of shared folders, and links. It is asked for once in a sync, not for every file. */

import { ServiceError } from "cairn-memory";
import { z } from "zod";
import { remembered } from "../remembered.ts";
import { type DropboxApi, isRefused, type Refused } from "./api.ts";
import type { DropboxFile } from "./entry.ts";

export interface Sharing {
	/** Who may see a file beside its account: addresses of people, names of groups, and what its links allow. */
	readonly readers: (file: DropboxFile) => Promise<{ readonly owners: readonly string[]; readonly sharedWith: readonly string[] }>;
	/** The name of whoever has modified a file in a shared folder. */
	readonly modifier: (file: DropboxFile) => Promise<string | null>;
}

/** A service that goes on forever is left; a page has 200 links or members. */
const pagesMax = 500;

const userSchema = z.object({ email: z.string().optional(), display_name: z.string().optional() });
/** https://www.dropbox.com/developers/documentation/http/documentation#sharing-list_folder_members */
const membersSchema = z.object({
	users: z.array(z.object({ access_type: z.object({ ".tag": z.string() }), user: userSchema })).default([]),
	groups: z.array(z.object({ group: z.object({ group_name: z.string() }) })).default([]),
	invitees: z.array(z.object({ invitee: z.object({ email: z.string().optional() }) })).default([]),
	cursor: z.string().nullish(),
});
/** https://www.dropbox.com/developers/documentation/http/documentation#sharing-list_shared_links */
const linksSchema = z.object({
	links: z.array(
		z.object({ path_lower: z.string().optional(), link_permissions: z.object({ resolved_visibility: z.object({ ".tag": z.string() }).nullish() }).optional() }),
	),
	has_more: z.boolean(),
	cursor: z.string().nullish(),
});
const accountSchema = z.object({ name: z.object({ display_name: z.string() }) });

type Ask = DropboxApi["call"];
const hidden: ReadonlySet<string> = new Set(["CONNECTION_FORBIDDEN", "ADDRESS_REFUSED"]);

interface Members {
	readonly owners: readonly string[];
	readonly others: readonly string[];
}

/** What an account may not see of the sharing of its files is left out. */
export function sharingOf({ call }: Pick<DropboxApi, "call">): Sharing {
	const ask: Ask = (route, argument, schema) =>
		call(route, argument, schema).catch((thrown: unknown): Refused => {
			if (thrown instanceof ServiceError && hidden.has(thrown.code)) return { refused: thrown.code };
			throw thrown;
		});
	const members = remembered((folder) => listMembers(folder, ask));
	const modifiers = remembered(async (account) => {
		const answer = await ask("users/get_account", { account_id: account }, accountSchema);
		return isRefused(answer) ? null : answer.name.display_name;
	});
	const links = remembered(() => listLinks(ask));
	return {
		readers: async ({ path_lower, sharing_info }) => {
			const folder = sharing_info?.parent_shared_folder_id;
			const { owners, others } = folder === undefined ? { owners: [], others: [] } : await members(folder);
			return { owners, sharedWith: [...new Set([...others, ...((await links("")).get(path_lower ?? "") ?? [])])] };
		},
		modifier: async ({ sharing_info }) => (sharing_info?.modified_by ? modifiers(sharing_info.modified_by) : null),
	};
}

async function listMembers(folder: string, ask: Ask): Promise<Members> {
	const [owners, others]: [string[], string[]] = [[], []];
	let cursor: string | null = null;
	for (let pages = 0; pages < pagesMax; pages++) {
		const page: unknown =
			cursor === null
				? await ask("sharing/list_folder_members", { shared_folder_id: folder }, membersSchema)
				: await ask("sharing/list_folder_members/continue", { cursor }, membersSchema);
		if (isRefused(page)) break;
		const { users, groups, invitees, cursor: next } = page as z.infer<typeof membersSchema>;
		for (const { access_type, user } of users) (access_type[".tag"] === "owner" ? owners : others).push(user.email ?? user.display_name ?? "somebody");
		others.push(...groups.map(({ group }) => group.group_name), ...invitees.flatMap(({ invitee }) => invitee.email ?? []));
		if (!next) break;
		cursor = next;
	}
	return { owners, others };
}

/** What the links of the account allow, by path: `anyone` for a public one, else Dropbox's word for it, such as `password` or `team_only`. */
async function listLinks(ask: Ask): Promise<ReadonlyMap<string, readonly string[]>> {
	const byPath = new Map<string, string[]>();
	let cursor: string | null = null;
	for (let pages = 0; pages < pagesMax; pages++) {
		const page: unknown = await ask("sharing/list_shared_links", cursor === null ? {} : { cursor }, linksSchema);
		if (isRefused(page)) break;
		const { links, has_more, cursor: next } = page as z.infer<typeof linksSchema>;
		for (const { path_lower, link_permissions } of links) {
			const visibility = link_permissions?.resolved_visibility?.[".tag"];
			if (path_lower === undefined || visibility === undefined) continue;
			byPath.set(path_lower, [...(byPath.get(path_lower) ?? []), visibility === "public" ? "anyone" : visibility]);
		}
		if (!has_more || !next) break;
		cursor = next;
	}
	return byPath;
}
