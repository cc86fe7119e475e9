/** Reads a file of a drive as a document, with its authors, times and whom it is shared with. */

import { type ConnectorItem, fail, limits, parseMediaType, ServiceError } from "cairn-memory";
import { z } from "zod";
import type { GraphApi } from "./api.ts";
import { type DriveItem, has, isDocument, itemSchema } from "./drive-item.ts";

/** A file may be shared with thousands. */
const sharedWithMax = 100;

/** Null if it is no longer there, or no document any more. @throws ServiceError `ITEM_REFUSED` */
export async function readItem(key: string, api: GraphApi): Promise<ConnectorItem | null> {
	const [drive = "", id = ""] = key.split("/");
	const item = await api.json(`/drives/${drive}/items/${id}`, itemSchema);
	if (item === null || !isDocument(item)) return null;
	try {
		const fetched = await api.content(drive, item);
		if (fetched === null) return null;
		const claimedMediaType = fetched.claimedMediaType ?? parseMediaType(item.file?.mimeType ?? "");
		const file = { fileName: item.name.slice(-limits.fileNameCharactersMax), claimedMediaType, charset: fetched.charset, address: item.webUrl ?? null };
		const metadata = { ...metadataOf(item), ...(await sharingOf(drive, item, api)) };
		return { key, content: { kind: "file", bytes: fetched.bytes, ...file }, title: item.name, metadata, containerTag: null };
	} catch (thrown) {
		if (!(thrown instanceof ServiceError) || thrown.code !== "ITEM_REFUSED") throw thrown;
		throw fail("ITEM_REFUSED", JSON.stringify(item.name), String(thrown.args[1]));
	}
}

function metadataOf({ createdBy, lastModifiedBy, createdDateTime, lastModifiedDateTime, webUrl }: DriveItem): ConnectorItem["metadata"] {
	const author = createdBy?.user?.displayName ?? lastModifiedBy?.user?.displayName;
	const modifiedBy = lastModifiedBy?.user?.email ?? lastModifiedBy?.user?.displayName;
	return {
		...(author !== undefined && { author }),
		...(modifiedBy !== undefined && { modifiedBy }),
		...(createdDateTime !== undefined && { createdAt: createdDateTime }),
		...(lastModifiedDateTime !== undefined && { updatedAt: lastModifiedDateTime }),
		...(webUrl !== undefined && { url: webUrl }),
	};
}

const identities = z.object({
	user: z.object({ displayName: z.string().optional(), email: z.string().optional() }).optional(),
	siteUser: z.object({ displayName: z.string().optional(), email: z.string().optional() }).optional(),
	group: z.object({ displayName: z.string().optional(), email: z.string().optional() }).optional(),
	siteGroup: z.object({ displayName: z.string().optional() }).optional(),
});

/** https://learn.microsoft.com/graph/api/resources/permission */
const permissionsSchema = z.object({
	value: z.array(
		z.object({
			roles: z.array(z.string()).default([]),
			grantedToV2: identities.nullish(),
			grantedToIdentitiesV2: z.array(identities).default([]),
			link: z.object({ scope: z.string().optional() }).nullish(),
		}),
	),
});

/** Only of what is shared, which costs a request. An account that may not see the permissions of a file still reads it. */
async function sharingOf(drive: string, item: DriveItem, api: GraphApi): Promise<ConnectorItem["metadata"]> {
	if (!has(item.shared)) return {};
	const permissions = await api.json(`/drives/${drive}/items/${item.id}/permissions`, permissionsSchema).catch((thrown: unknown) => {
		if (thrown instanceof ServiceError && (thrown.code === "ITEM_REFUSED" || thrown.code === "ADDRESS_REFUSED")) return null;
		throw thrown;
	});
	const all = permissions?.value ?? [];
	const granted = (role: (roles: readonly string[]) => boolean) =>
		all
			.filter(({ roles }) => role(roles))
			.flatMap(({ grantedToV2, grantedToIdentitiesV2 }) => [...(has(grantedToV2) ? [grantedToV2] : []), ...grantedToIdentitiesV2]);
	const owners = new Set(granted((roles) => roles.includes("owner")).flatMap((each) => nameOf(each) ?? []));
	const links = all.flatMap(({ link }) => (link?.scope === undefined || link.scope === "users" ? [] : [link.scope === "anonymous" ? "anyone" : link.scope]));
	const readers = granted((roles) => !roles.includes("owner")).flatMap((each) => nameOf(each) ?? []);
	const sharedWith = [...new Set([...readers, ...links])].filter((reader) => !owners.has(reader)).slice(0, sharedWithMax);
	return {
		...(owners.size > 0 && { owners: [...owners].slice(0, sharedWithMax).join(", ") }),
		...(sharedWith.length > 0 && { sharedWith: sharedWith.join(", ") }),
	};
}

function nameOf(given: z.infer<typeof identities> | null | undefined): string | undefined {
	const { user, siteUser, group, siteGroup } = given ?? {};
	return user?.email ?? siteUser?.email ?? group?.email ?? user?.displayName ?? siteUser?.displayName ?? group?.displayName ?? siteGroup?.displayName;
}
