/** The record of administrative acts: what was done, when, and with which key. */

import { useState } from "react";
import { Button } from "react-aria-components";
import type { Api } from "../api/client.ts";
import { useLoad } from "../api/use-load.ts";
import type { Audit, Key } from "../api/wire.ts";
import { useConsole } from "../context.ts";
import { Empty, WhenLoaded } from "../parts/messages.tsx";
import { When } from "../parts/values.tsx";

type Act = Audit["events"][number];

const perRequest = 1_000;
const shownAtFirst = 50;

export function AuditLog() {
	const { api } = useConsole();
	const loaded = useLoad("audit", async (signal) => {
		const [acts, { keys }] = await Promise.all([readAll(api, signal), api.ask<{ readonly keys: readonly Key[] }>("GET", "/v3/auth/keys", undefined, signal)]);
		return { acts, names: new Map(keys.map(({ id, name }) => [id, name])) };
	});
	const [shown, setShown] = useState(shownAtFirst);
	return (
		<section className="card" aria-labelledby="audit">
			<div className="card-title">
				<h2 id="audit">Administrative acts</h2>
			</div>
			<WhenLoaded loaded={loaded}>
				{({ acts, names }) =>
					acts.length === 0 ? (
						<Empty title="Nothing has been done yet." />
					) : (
						<>
							<ol className="rows">
								{acts.slice(0, shown).map((act) => (
									<ActRow key={act.sequence} act={act} names={names} />
								))}
							</ol>
							{acts.length > shown && (
								<Button className="button" onPress={() => setShown(shown + shownAtFirst)}>
									Show older acts
								</Button>
							)}
						</>
					)
				}
			</WhenLoaded>
		</section>
	);
}

/** The server tells the oldest first; people look for the newest. */
async function readAll(api: Api, signal: AbortSignal): Promise<readonly Act[]> {
	const acts: Act[] = [];
	for (let after: number | null = 0; after !== null; ) {
		const page: Audit = await api.ask<Audit>("GET", `/v3/audit?after=${after}&limit=${perRequest}`, undefined, signal);
		acts.push(...page.events);
		after = page.next;
	}
	return acts.reverse();
}

function ActRow({ act: { type, at, subject, containerTags, facts }, names }: { readonly act: Act; readonly names: ReadonlyMap<string, string> }) {
	const { by, ...others } = facts;
	const words = Object.entries(others).map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`);
	return (
		<li className="row">
			<div className="row-main">
				<span className="row-title">{inWords(type)}</span>
				<span className="hint">{[names.get(subject) ?? subject, ...containerTags, ...words].join(" · ")}</span>
			</div>
			<span className="hint">
				{typeof by === "string" && `with the key ${names.get(by) ?? by} · `}
				<When time={at} />
			</span>
		</li>
	);
}

/** `key.created` → `Key created` */
function inWords(type: string): string {
	const words = type.replace(".", " ");
	return words.charAt(0).toUpperCase() + words.slice(1);
}
