/** Organisations: an operator adds and removes them and sets their quotas. */

import { authorize } from "../access/authorize.ts";
import type { MintedKey } from "../access/key-service.ts";
import { fail } from "../errors/fail.ts";
import { readTokensToday } from "../language/ledger.ts";
import type { KeyBearer } from "../model/caller.ts";
import { asId, isId, type KeyId, newId, type OrganisationId } from "../model/id.ts";
import type { ApiKey, Organisation, OrganisationAccount, Quotas } from "../ports/account-store.ts";
import type { AuditEventType, LogEvent } from "../ports/event-log.ts";
import type { Storage } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";
import { createSharedMutex } from "../runtime/keyed-mutex.ts";

export interface OrganisationState extends OrganisationAccount {
	/** Tokens of language models that were used today (UTC). */
	readonly tokensToday: number;
}

export interface NewOrganisation {
	readonly name: string;
	readonly quotas: Quotas;
}

/** For operators only; the routes check that. */
export interface OrganisationService {
	/** All, oldest first, with those whose data is still being erased. */
	readonly list: () => Promise<readonly OrganisationState[]>;
	/** Adds an organisation with its first admin key. The key of whoever adds the second one becomes an operator key. */
	readonly create: (caller: KeyBearer, wanted: NewOrganisation) => Promise<{ readonly organisation: OrganisationState; readonly minted: MintedKey }>;
	/** Replaces all quotas. Throws `ORGANISATION_MISSING`. */
	readonly setQuotas: (caller: KeyBearer, id: string, quotas: Quotas) => Promise<OrganisationState>;
	/** Stops its keys and begins to erase its data. Throws `ORGANISATION_MISSING`, `ORGANISATION_OWN`. */
	readonly remove: (caller: KeyBearer, id: string) => Promise<OrganisationState>;
}

export interface OrganisationParts {
	readonly storage: Storage;
	readonly world: World;
	readonly mint: (organisation: OrganisationId) => { readonly secret: string; readonly hash: string };
}

export function createOrganisationService({ storage, world, mint }: OrganisationParts): OrganisationService {
	const { accounts } = storage;
	const oneAtATime = createSharedMutex({ storage, world });

	async function stateOf(account: OrganisationAccount): Promise<OrganisationState> {
		return { ...account, tokensToday: await readTokensToday(storage.organisation(account.id).records, world.now()) };
	}

	/** @throws ServiceError `ORGANISATION_MISSING` */
	async function find(id: string): Promise<OrganisationState> {
		const account = isId(id) ? await accounts.organisationAccount(asId<OrganisationId>(id)) : null;
		if (account === null) throw fail("ORGANISATION_MISSING");
		return stateOf(account);
	}

	/** Without its name, because the audit log stays when the organisation is removed. */
	async function recordEvent(caller: KeyBearer, type: AuditEventType, subject: OrganisationId, facts: LogEvent["facts"]): Promise<void> {
		await authorize(storage, caller).events.append({ type, at: world.now(), subject, containerTags: [], facts: { by: caller.id, ...facts } });
	}

	async function addAdminKey(organisation: OrganisationId): Promise<MintedKey> {
		const { secret, hash } = mint(organisation);
		const bounds = { role: "admin", grants: null, endpoints: null, rateLimit: null, expiresAt: null } as const;
		const key: ApiKey = {
			...bounds,
			id: newId<KeyId>(world.randomBytes),
			organisation,
			name: "made with the organisation",
			hash,
			isEnabled: true,
			createdAt: world.now(),
		};
		await accounts.addKey(key);
		return { key, secret };
	}

	return {
		list: async () => Promise.all((await accounts.organisationAccounts()).map(stateOf)),
		create: (caller, { name, quotas }) =>
			oneAtATime(
				"organisations",
				async () => {
					const known = await accounts.organisationAccounts();
					// First, so that the server always has an operator.
					if (caller.role === "admin") await accounts.changeKey(caller.organisation, asId<KeyId>(caller.id), { role: "operator" });
					const id = newId<OrganisationId>(world.randomBytes);
					const organisation: Organisation = { id, name, slug: freeSlug(name, known), createdAt: world.now() };
					await accounts.addOrganisation(organisation);
					await accounts.setQuotas(id, quotas);
					const minted = await addAdminKey(id);
					await recordEvent(caller, "organisation.created", id, {});
					return { organisation: await find(id), minted };
				},
				caller.organisation,
			),
		setQuotas: async (caller, id, quotas) => {
			const { id: organisation } = await find(id);
			if (!(await accounts.setQuotas(organisation, quotas))) throw fail("ORGANISATION_MISSING");
			await recordEvent(caller, "organisation.changed", organisation, { ...quotas });
			return find(id);
		},
		remove: async (caller, id) => {
			const { id: organisation, removedAt } = await find(id);
			const [first] = await accounts.organisations();
			if (organisation === caller.organisation || organisation === first?.id) throw fail("ORGANISATION_OWN");
			await accounts.removeOrganisation(organisation, world.now());
			if (removedAt === null) await recordEvent(caller, "organisation.removed", organisation, {});
			return find(id);
		},
	};
}

const slugMax = 40;

/** Small letters and digits of the name, with a number if another organisation has the slug. */
function freeSlug(name: string, known: readonly Organisation[]): string {
	const taken = new Set(known.map(({ slug }) => slug));
	const plain =
		name
			.normalize("NFKD")
			.toLowerCase()
			.replaceAll(/[^a-z0-9]+/g, "-")
			.replaceAll(/^-+|-+$/g, "")
			.slice(0, slugMax) || "organisation";
	let slug = plain;
	for (let number = 2; taken.has(slug); number++) slug = `${plain}-${number}`;
	return slug;
}
