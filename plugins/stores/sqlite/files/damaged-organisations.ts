/** The organisations of a damaged database: those whose rows can be read, and those that any other row names. */

import { asId, type OrganisationId } from "cairn-memory";
import { type DamagedOrganisation, isId, noQuotas, type Quotas } from "cairn-memory/stores";
import type { Connection } from "../../sql/bun-connection.ts";

type Found = Pick<DamagedOrganisation, "id" | "named" | "createdAt">;

interface Row {
	readonly id: string;
	readonly name: string;
	readonly slug: string;
	readonly quotas: string | null;
	readonly created_at: number;
	readonly removed_at: number | null;
}

/** Tables besides those of documents and memories whose rows tell that there is an organisation. */
const alsoNamedIn = ["containers", "records", "api_keys"] as const;

/**
 * The oldest first, for a server gives the operator's key to the first. What is being removed is not rescued.
 * @param named by documents and memories
 */
export function damagedOrganisations(opened: Connection, named: readonly string[]): { readonly found: readonly Found[]; readonly removed: readonly string[] } {
	const rows = soundRows(opened);
	const removed = [...rows.values()].filter(({ removed_at: at }) => at !== null).map(({ id }) => id);
	const listed = [...rows.values()].filter(({ removed_at: at }) => at === null).map(asFound);
	const others = new Set([...named, ...namedElsewhere(opened)].filter((id) => isId(id) && !rows.has(id)));
	const unlisted = [...others].map((id): Found => ({ id: asId<OrganisationId>(id), named: null, createdAt: new Date(oldestIn(opened, id)) }));
	const oldestFirst = (a: Found, b: Found) => a.createdAt.getTime() - b.createdAt.getTime();
	return { found: operatorsFirst(opened, [...listed, ...unlisted]).toSorted(oldestFirst), removed };
}

function asFound({ id, name, slug, quotas, created_at: at }: Row): Found {
	return { id: asId<OrganisationId>(id), named: { name, slug, quotas: quotasOf(quotas) }, createdAt: new Date(at) };
}

/** A row on a damaged page may be read without an error, and be wrong. */
function soundRows({ statement }: Connection): ReadonlyMap<string, Row> {
	const rows = new Map<string, Row>();
	for (const order of ["ASC", "DESC"])
		attempt(() => {
			for (const read of statement<Row>(`SELECT * FROM organisations ORDER BY id ${order}`).iterate()) {
				// A database that could not be upgraded may lack these columns.
				const row = { ...read, quotas: read.quotas ?? null, removed_at: read.removed_at ?? null };
				if (isSound(row)) rows.set(row.id, row);
			}
		}, undefined);
	return rows;
}

function isSound({ id, name, slug, created_at: at, removed_at: removedAt }: Row): boolean {
	const isTime = (value: unknown) => Number.isSafeInteger(value) && Number(value) > 0;
	return [id, name, slug].every((text) => typeof text === "string" && text !== "") && isId(id) && isTime(at) && (removedAt === null || isTime(removedAt));
}

function quotasOf(stored: string | null): Quotas {
	const isLimit = (value: unknown) => value === null || (Number.isSafeInteger(value) && Number(value) >= 0);
	const read = attempt(() => JSON.parse(stored ?? "{}") as Partial<Quotas>, {});
	return { ...noQuotas, ...Object.fromEntries(Object.entries(read).filter(([name, value]) => name in noQuotas && isLimit(value))) };
}

function namedElsewhere({ statement }: Connection): readonly string[] {
	const found = new Set<string>();
	for (const table of alsoNamedIn)
		attempt(() => {
			for (const { organisation } of statement<{ organisation: string }>(`SELECT DISTINCT organisation FROM ${table}`).iterate()) found.add(organisation);
		}, undefined);
	return [...found];
}

/** Milliseconds; now, if it has no documents and memories. */
function oldestIn({ statement }: Connection, organisation: string): number {
	const times = ["documents", "memories"].map((table) =>
		attempt(() => statement<{ at: number | null }>(`SELECT min(created_at) AS at FROM ${table} WHERE organisation = ?`).get(organisation)?.at ?? null, null),
	);
	return Math.min(...times.filter((at) => at !== null && Number.isSafeInteger(at)).map(Number), Date.now());
}

/** If the age of the organisation of the operator's key is not known, it is taken for older than all others. */
function operatorsFirst({ statement }: Connection, found: readonly Found[]): readonly Found[] {
	const key = attempt(() => statement<{ organisation: string }>("SELECT organisation FROM api_keys WHERE role = 'operator' LIMIT 1").get(), null);
	const oldest = Math.min(...found.map(({ createdAt }) => createdAt.getTime()));
	return found.map((one) => (one.id === key?.organisation && one.named === null ? { ...one, createdAt: new Date(oldest - 1) } : one));
}

/** @returns `otherwise` if it throws, as reading a damaged page does */
export function attempt<Value>(read: () => Value, otherwise: Value): Value {
	try {
		return read();
	} catch {
		return otherwise;
	}
}
