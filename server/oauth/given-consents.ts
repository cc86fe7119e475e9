/** Lists and ends the consents that people have given: each key its own, an admin key those of all keys of the organisation. */

import { fail } from "../../core/errors/fail.ts";
import { isAdminRole } from "../../core/model/caller.ts";
import { isId } from "../../core/model/id.ts";
import type { ApiKey } from "../../core/ports/account-store.ts";
import type { Storage } from "../../core/ports/storage.ts";
import type { World } from "../../core/ports/world.ts";
import { accessMs, type Consent, recordKind } from "./consent-record.ts";
import type { Permission } from "./permission.ts";

export interface GivenConsent extends Permission {
	readonly id: string;
	/** The name that the client has given itself; null in records of older versions. */
	readonly client: string | null;
	/** Where the browser went back to: `claude.ai`, or the scheme of an app. */
	readonly origin: string;
	readonly key: Pick<ApiKey, "id" | "name">;
	/** Null in records of older versions. */
	readonly givenAt: Date | null;
	/** When the client last got a token. It gets one every quarter of an hour while it is used. */
	readonly usedAt: Date;
	/** When the consent ends unless the client is used again. */
	readonly endsAt: Date | null;
}

export interface GivenConsents {
	/** The newest use first. */
	readonly list: (caller: ApiKey) => Promise<readonly GivenConsent[]>;
	/** The tokens of the consent are refused from then on. @throws ServiceError `CONSENT_MISSING` */
	readonly end: (caller: ApiKey, id: string) => Promise<void>;
}

const perRead = 500;

export function createGivenConsents({ storage, world }: { readonly storage: Storage; readonly world: World }): GivenConsents {
	async function* consentsOf({ organisation }: ApiKey): AsyncGenerator<GivenConsent> {
		const names = new Map((await storage.accounts.keys(organisation)).map(({ id, name }) => [String(id), { id, name }]));
		for (let after: string | null = null; ; ) {
			const page = await storage.organisation(organisation).records.list(recordKind, after, perRead, world.now());
			for (const { id, value, expiresAt } of page) {
				const consent = value as unknown as Consent;
				const key = names.get(consent.keyId);
				// A consent without its key, or whose client has not fetched its token yet, gives no access.
				if (key !== undefined && consent.isCodeUsed) yield toGiven(id, consent, key, expiresAt);
			}
			if (page.length < perRead) return;
			after = page.at(-1)?.id ?? null;
		}
	}

	async function list(caller: ApiKey): Promise<readonly GivenConsent[]> {
		const given = await Array.fromAsync(consentsOf(caller));
		return given.filter(({ key }) => isAdmin(caller) || key.id === caller.id).toSorted((a, b) => b.usedAt.getTime() - a.usedAt.getTime());
	}

	return {
		list,
		end: async (caller, id) => {
			const consent = isId(id) ? (await list(caller)).find((each) => each.id === id) : undefined;
			const { records, events } = storage.organisation(caller.organisation);
			if (consent === undefined || !(await records.remove(recordKind, consent.id))) throw fail("CONSENT_MISSING");
			const { client, origin } = consent;
			await events.append({ type: "client.removed", at: world.now(), subject: id, containerTags: [], facts: { by: caller.id, client, origin } });
		},
	};
}

/** The same rule as in `demandRole`: a key that is limited to containers is no admin. */
function isAdmin({ role, grants }: ApiKey): boolean {
	return isAdminRole(role) && grants === null;
}

function toGiven(id: string, consent: Consent, key: GivenConsent["key"], endsAt: Date | null): GivenConsent {
	const { role, containerTag, clientName = null, givenAt, redirectUri, accessUntil } = consent;
	const { host, protocol } = new URL(redirectUri);
	return {
		...{ id, role, containerTag, client: clientName, key, endsAt },
		origin: host === "" ? protocol : host,
		givenAt: givenAt === undefined ? null : new Date(givenAt),
		usedAt: new Date(accessUntil - accessMs),
	};
}
