/** The search as code, to copy. */

import { useState } from "react";
import { Tab, TabList, TabPanel, Tabs } from "react-aria-components";
import { CopyButton } from "../parts/copy-button.tsx";
import { Choice } from "../parts/fields.tsx";
import { documentRequest, memoryRequest, type Query } from "./query.ts";
import { languages, snippet } from "./snippets.ts";

const subjects = [
	{ id: "documents", label: "Documents" },
	{ id: "memories", label: "Memories" },
];

const settings = [
	{ id: "first", label: "The first settings" },
	{ id: "second", label: "The second settings" },
];

export function Code({ query: first, other = null }: { readonly query: Query; readonly other?: Query | null }) {
	const [subject, setSubject] = useState("documents");
	const [which, setWhich] = useState("first");
	const query = which === "second" && other !== null ? other : first;
	const request = subject === "documents" ? documentRequest(query) : memoryRequest(query);
	return (
		<section className="card" aria-labelledby="as-code">
			<div className="card-title">
				<h2 id="as-code">This search as code</h2>
				<div className="filters">
					<Choice label="Search for" options={subjects} value={subject} onChange={setSubject} />
					{other !== null && <Choice label="With" options={settings} value={which} onChange={setWhich} />}
				</div>
			</div>
			<Tabs>
				<TabList aria-label="Language" className="tabs">
					{languages.map(({ id, label }) => (
						<Tab key={id} id={id}>
							{label}
						</Tab>
					))}
				</TabList>
				{languages.map(({ id, label }) => {
					const text = snippet(id, request, location.origin);
					return (
						<TabPanel key={id} id={id}>
							<pre className="code">{text}</pre>
							<CopyButton text={text} label="Copy" about={`Copy the ${label} code`} />
						</TabPanel>
					);
				})}
			</Tabs>
		</section>
	);
}
