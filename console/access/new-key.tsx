/** Makes a key for one container or for everything, and shows it once. */

import { useState } from "react";
import { Button, Form } from "react-aria-components";
import { asProblem, type Problem } from "../api/client.ts";
import { useConsole } from "../context.ts";
import { Choice, Field } from "../parts/fields.tsx";
import { Trouble } from "../parts/messages.tsx";
import { NameField } from "../parts/names.tsx";
import { ShownOnce } from "../parts/shown-once.tsx";

const reaches = [
	{ id: "one", label: "One container" },
	{ id: "all", label: "Everything" },
];
const permissions = [
	{ id: "read", label: "Read and search" },
	{ id: "write", label: "Read and write" },
];
const administers = { id: "admin", label: "Administer" };
const durations = [
	{ id: "", label: "Never" },
	{ id: "7", label: "In 7 days" },
	{ id: "30", label: "In 30 days" },
	{ id: "365", label: "In a year" },
];
const empty = { reach: "one", name: "", container: "", permission: "read", days: "30" };

export function NewKey({ tags, onMade }: { readonly tags: readonly string[]; readonly onMade: () => void }) {
	const { api } = useConsole();
	const [wanted, setWanted] = useState(empty);
	const [made, setMade] = useState<string | null>(null);
	const [problem, setProblem] = useState<Pick<Problem, "message" | "remedy"> | null>(null);
	const change = (changes: Partial<typeof empty>) => setWanted({ ...wanted, ...changes });
	const isOne = wanted.reach === "one";
	const make = async () => {
		const { name, container, permission, days } = wanted;
		if (isOne && container.trim() === "") return setProblem({ message: "Name the container that the key is for.", remedy: null });
		if (!isOne && name.trim() === "") return setProblem({ message: "Give the key a name.", remedy: "It says later who or what uses the key." });
		const body = {
			permission,
			...(isOne ? { containerTag: container.trim() } : {}),
			...(name.trim() === "" ? {} : { name: name.trim() }),
			...(days === "" ? {} : { expiresInDays: Number(days) }),
		};
		try {
			const { key } = await api.ask<{ readonly key: string }>("POST", isOne ? "/v3/auth/scoped-key" : "/v3/auth/agent-key", body);
			setMade(key);
			setProblem(null);
			setWanted(empty);
			onMade();
		} catch (thrown) {
			setProblem(asProblem(thrown));
		}
	};
	return (
		<section className="card" aria-labelledby="new-key">
			<div className="card-title">
				<h2 id="new-key">Make a key</h2>
			</div>
			<Form
				onSubmit={(event) => {
					event.preventDefault();
					void make();
				}}
			>
				<div className="parameters">
					<Choice
						label="It reaches"
						options={reaches}
						value={wanted.reach}
						onChange={(reach) => change({ reach, permission: reach === "one" && wanted.permission === "admin" ? "write" : wanted.permission })}
					/>
					{isOne && (
						<NameField
							label="For the container"
							names={tags}
							value={wanted.container}
							onChange={(container) => change({ container })}
							description="All else is hidden from the key."
						/>
					)}
					<Field label="Name" value={wanted.name} onChange={(name) => change({ name })} description="What people call the key." />
					<Choice
						label="It may"
						options={isOne ? permissions : [...permissions, administers]}
						value={wanted.permission}
						onChange={(permission) => change({ permission })}
					/>
					<Choice label="It expires" options={durations} value={wanted.days} onChange={(days) => change({ days })} />
				</div>
				<Button type="submit" className="button filled">
					Make the key
				</Button>
			</Form>
			{problem !== null && <Trouble problem={problem} />}
			{made !== null && <ShownOnce what="key" kept="the server keeps its hash." secret={made} close={() => setMade(null)} />}
		</section>
	);
}
