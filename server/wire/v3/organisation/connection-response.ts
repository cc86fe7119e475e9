/** Connections and their syncs as `/v3/connections` returns them, without secrets. */

import { Type } from "@sinclair/typebox";
import { type Connection, type SyncRun, syncErrorCodes } from "../../../../core/connections/connection.ts";
import type { SignInLink } from "../../../../core/connections/sign-in.ts";
import type { Document } from "../../../../core/model/document.ts";
import type { ConnectorResources } from "../../../../core/plugin/contract.ts";

const instant = Type.String({ format: "date-time" });
const textOrNull = Type.Union([Type.String(), Type.Null()]);
const runFields = {
	status: Type.Union([Type.Literal("running"), Type.Literal("completed"), Type.Literal("failed")]),
	startedAt: instant,
	completedAt: Type.Optional(instant),
	errorCode: Type.Optional(Type.Union(syncErrorCodes.map((code) => Type.Literal(code)))),
	error: Type.Optional(Type.String({ description: "Why the sync, or its last attempt, failed." })),
	retryAt: Type.Optional(Type.String({ format: "date-time", description: "When it is retried." })),
	documentsSynced: Type.Integer({ description: "Documents added or changed so far." }),
	documentsRemoved: Type.Integer(),
	progress: Type.Optional(Type.Object({ done: Type.Number(), total: Type.Number(), unit: Type.String() })),
};

export const connectionSchema = Type.Object(
	{
		id: Type.String(),
		provider: Type.String({ examples: ["s3"] }),
		email: Type.Optional(Type.String({ description: "The account that somebody has signed in with." })),
		containerTags: Type.Array(Type.String()),
		documentLimit: Type.Integer(),
		metadata: Type.Record(Type.String(), Type.Unknown(), { description: "The metadata of the request, without secrets." }),
		createdAt: instant,
		nextSyncAt: Type.Union([instant, Type.Null()], { description: "Null while the connection has no valid credentials." }),
		lastSyncRun: Type.Optional(Type.Object(runFields)),
	},
	{ $id: "Connection" },
);

export const connectionsSchema = Type.Array(Type.Ref("Connection"), { $id: "Connections" });

export const newConnectionSchema = Type.Object(
	{
		id: Type.String(),
		authLink: Type.String({ description: "Where somebody signs in; then the connection is made. Empty if no sign-in is needed.", examples: [""] }),
		userCode: Type.Optional(Type.String({ description: "What is typed in there, after `signIn: device`. Nobody but the one who signs in should see it." })),
		expiresIn: Type.String({ examples: ["never"] }),
		redirectsTo: Type.Optional(Type.String({ description: "Where the browser is sent after the sign-in." })),
	},
	{ $id: "NewConnection" },
);

export const deletedConnectionSchema = Type.Object({ id: Type.String(), provider: Type.String() }, { $id: "DeletedConnection" });

export const connectionDocumentsSchema = Type.Array(
	Type.Object({
		id: Type.String(),
		title: textOrNull,
		summary: textOrNull,
		type: Type.String(),
		status: Type.String(),
		createdAt: instant,
		updatedAt: instant,
	}),
	{ $id: "ConnectionDocuments" },
);

export const syncRunsSchema = Type.Object(
	{
		syncRuns: Type.Array(
			Type.Object({
				id: Type.String(),
				...runFields,
				remarks: Type.Array(Type.Object({ code: Type.String(), message: Type.String() }), { description: "Warnings about single items." }),
			}),
		),
	},
	{ $id: "SyncRuns" },
);

export const resourcesSchema = Type.Object(
	{ resources: Type.Array(Type.Record(Type.String(), Type.Unknown())), total_count: Type.Optional(Type.Integer()) },
	{ $id: "ConnectionResources" },
);

export const configuredSchema = Type.Object({ success: Type.Literal(true), message: Type.String() }, { $id: "ConfiguredConnection" });

export const importingSchema = Type.String({ $id: "Importing", examples: ["Importing connections..."] });

export function toConnection({ id, provider, signedIn, containerTags, documentLimit, metadata, createdAt, nextSyncAt, runs: [last] }: Connection) {
	return {
		...{ id, provider, ...(signedIn !== undefined && { email: signedIn.account.address }) },
		...{ containerTags, documentLimit, metadata, createdAt, nextSyncAt },
		...(last !== undefined && { lastSyncRun: toRun(last) }),
	};
}

export function toNewConnection(created: Connection | SignInLink) {
	if (!("link" in created)) return { id: created.id, authLink: "", expiresIn: "never" };
	const { id, link, userCode, lifeMs, redirectsTo } = created;
	return { id, authLink: link, ...(userCode !== null && { userCode }), expiresIn: shown(lifeMs), ...(redirectsTo !== null && { redirectsTo }) };
}

function shown(ms: number): string {
	const minutes = Math.floor(ms / 60_000);
	return minutes === 60 ? "1 hour" : `${minutes} minutes`;
}

export function toDeletedConnection({ id, provider }: Connection) {
	return { id, provider };
}

export function toConnectionDocument({ id, findings, status, createdAt, updatedAt }: Document) {
	const { title, summary, type } = findings;
	return { id, title, summary, type, status, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}

export function toSyncRuns({ runs }: Connection) {
	return { syncRuns: runs.map((run) => ({ id: run.id, ...toRun(run), remarks: run.remarks })) };
}

export function toResources({ resources, total }: Awaited<ReturnType<ConnectorResources["list"]>>) {
	return { resources, ...(total !== null && { total_count: total }) };
}

export function toConfigured(count: number) {
	return { success: true, message: `${count} ${count === 1 ? "resource is" : "resources are"} synced from now on` };
}

/** Missing values are left out, as in the API contract. */
function toRun({ status, startedAt, completedAt, errorCode, error, retryAt, documentsSynced, documentsRemoved, progress }: SyncRun) {
	return {
		...{ status, startedAt, documentsSynced, documentsRemoved },
		...(completedAt !== null && { completedAt }),
		...(errorCode !== null && { errorCode }),
		...(error !== null && { error }),
		...(retryAt !== null && { retryAt }),
		...(progress !== null && { progress }),
	};
}
