/** Makes a webhook. Its secret is handed on, since the server tells it only once. */

import { useState } from "react";
import { Button, Form } from "react-aria-components";
import type { EventType, NewWebhook } from "../api/wire.ts";
import { useConsole } from "../context.ts";
import { Field, Tick } from "../parts/fields.tsx";
import { Trouble } from "../parts/messages.tsx";
import { useAttempt } from "../parts/use-attempt.ts";

const words: Readonly<Record<EventType, string>> = {
	"document.queued": "A document was added",
	"document.done": "A document can be searched",
	"document.failed": "A document failed",
	"document.dreamed": "Its memories are there",
	"document.deleted": "A document was deleted",
	"memory.created": "A memory was learnt",
	"memory.updated": "A memory has a new version",
	"memory.forgotten": "A memory was forgotten",
	"memory.restored": "A memory is back",
	"memory.deleted": "A memory was deleted",
};
const types = Object.entries(words) as readonly (readonly [EventType, string])[];
const empty = { url: "", description: "", containers: "", types: [] as readonly EventType[] };

export function NewWebhookForm({ onMade }: { readonly onMade: (webhook: NewWebhook) => void }) {
	const { api } = useConsole();
	const [draft, setDraft] = useState(empty);
	const { problem, isActing, attempt } = useAttempt();
	const change = (changes: Partial<typeof empty>) => setDraft({ ...draft, ...changes });
	const make = async () => {
		const containerTags = draft.containers.split(/[\s,]+/).filter(Boolean);
		const body = {
			url: draft.url.trim(),
			...(draft.types.length === 0 ? {} : { types: draft.types }),
			...(containerTags.length === 0 ? {} : { containerTags }),
			...(draft.description.trim() === "" ? {} : { description: draft.description.trim() }),
		};
		onMade(await api.ask<NewWebhook>("POST", "/v3/webhooks", body));
		setDraft(empty);
	};
	return (
		<section className="card" aria-labelledby="new-webhook">
			<div className="card-title">
				<h2 id="new-webhook">Send events to an address</h2>
			</div>
			<Form
				className="settings"
				onSubmit={(event) => {
					event.preventDefault();
					attempt(make);
				}}
			>
				<div className="parameters">
					<Field label="Address" type="url" value={draft.url} onChange={(url) => change({ url })} placeholder="https://" />
					<Field
						label="Only of containers"
						value={draft.containers}
						onChange={(containers) => change({ containers })}
						description="Parted by commas. Empty means all."
					/>
					<Field label="Note" value={draft.description} onChange={(description) => change({ description })} />
				</div>
				<fieldset>
					<legend>Only these events; none ticked means all</legend>
					<div className="ticks many">
						{types.map(([type, label]) => (
							<Tick
								key={type}
								isSelected={draft.types.includes(type)}
								onChange={(isWanted) => change({ types: isWanted ? [...draft.types, type] : draft.types.filter((other) => other !== type) })}
							>
								{label}
							</Tick>
						))}
					</div>
				</fieldset>
				{problem !== null && <Trouble problem={problem} />}
				<div className="actions">
					<Button type="submit" className="button filled" isDisabled={isActing}>
						Make the webhook
					</Button>
				</div>
			</Form>
		</section>
	);
}
