/** Responses about the consents that were given to MCP clients. Tokens are never part of them. */

import { Type } from "@sinclair/typebox";
import type { GivenConsent } from "../../../oauth/given-consents.ts";

const time = Type.String({ format: "date-time" });

export const consentListSchema = Type.Object(
	{
		consents: Type.Array(
			Type.Object({
				id: Type.String(),
				client: Type.Union([Type.String(), Type.Null()], { description: "The name that the client has given itself; nobody has checked it." }),
				origin: Type.String({ description: "Where the browser went back to: a host, or the scheme of an app." }),
				permission: Type.String({ description: "`read` or `write`; never more than the key may do." }),
				containerTag: Type.Union([Type.String(), Type.Null()], { description: "Null for all containers of the key." }),
				key: Type.Object({ id: Type.String(), name: Type.String() }, { description: "The key that the person signed in with." }),
				createdAt: Type.Union([time, Type.Null()]),
				lastUsedAt: Type.String({
					format: "date-time",
					description: "When the client last got a token, which it does every quarter of an hour while it is used.",
				}),
				expiresAt: Type.Union([time, Type.Null()], { description: "When it ends, unless the client is used again." }),
			}),
		),
	},
	{ $id: "ConsentList" },
);

export function toConsents(consents: readonly GivenConsent[]) {
	return {
		consents: consents.map(({ id, client, origin, role, containerTag, key, givenAt, usedAt, endsAt }) => ({
			id,
			client,
			origin,
			permission: role,
			containerTag,
			key: { id: key.id, name: key.name },
			createdAt: givenAt?.toISOString() ?? null,
			lastUsedAt: usedAt.toISOString(),
			expiresAt: endsAt?.toISOString() ?? null,
		})),
	};
}
