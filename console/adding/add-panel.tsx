/** Adds documents: files that are dropped or chosen, a text, or an address. */

import { type ReactNode, useState } from "react";
import { Button, DropZone, FileTrigger, Form, Tab, TabList, TabPanel, Tabs, Text } from "react-aria-components";
import { useConsole } from "../context.ts";
import { Field } from "../parts/fields.tsx";
import { NameField } from "../parts/names.tsx";
import { type ChosenFiles, filesOfItems, filesOfPicker } from "./chosen-files.ts";
import type { Addition } from "./uploads.ts";

interface AddPanelProps {
	readonly containers: readonly string[];
	/** The container that is looked at; empty for none. */
	readonly container: string;
}

export function AddPanel({ containers, container: first }: AddPanelProps) {
	const { uploads } = useConsole();
	const [container, setContainer] = useState(first);
	const add = (additions: readonly Addition[]) => {
		if (additions.length > 0) uploads.add(additions, container.trim());
	};
	return (
		<div className="add-panel">
			<Tabs>
				<TabList aria-label="What to add" className="tabs">
					<Tab id="files">Files</Tab>
					<Tab id="text">Text</Tab>
					<Tab id="address">Address</Tab>
				</TabList>
				<TabPanel id="files">
					<FilesForm add={add} />
				</TabPanel>
				<TabPanel id="text">
					<ContentForm label="Text" action="Add the text" rows={7} add={add} empty="Write or paste a text first.">
						Notes, a letter, a chat: anything in words.
					</ContentForm>
				</TabPanel>
				<TabPanel id="address">
					<ContentForm
						label="Address"
						action="Add the address"
						placeholder="https://"
						add={add}
						empty="Enter an address that begins with http:// or https://."
						isAddress
					>
						A web page, a file, a post or a video. The server fetches it.
					</ContentForm>
				</TabPanel>
			</Tabs>
			<NameField
				label="Container"
				names={containers}
				value={container}
				onChange={setContainer}
				description="Choose one, or write a new name. Empty means the standard container."
			/>
		</div>
	);
}

type Add = (additions: readonly Addition[]) => void;

function FilesForm({ add }: { readonly add: Add }) {
	const { say } = useConsole();
	const addFiles = ({ files, remark }: ChosenFiles) => {
		add(files);
		if (remark !== null) say({ text: remark });
	};
	return (
		<DropZone className="drop-zone" aria-label="Files:" onDrop={async ({ items }) => addFiles(await filesOfItems(items))}>
			<Text slot="label" className="drop-words">
				Drop files or folders here
			</Text>
			<div className="actions">
				<FileTrigger allowsMultiple onSelect={(files) => addFiles(filesOfPicker(files))}>
					<Button className="button filled">Choose files</Button>
				</FileTrigger>
				<FileTrigger acceptDirectory onSelect={(files) => addFiles(filesOfPicker(files))}>
					<Button className="button">Choose a folder</Button>
				</FileTrigger>
			</div>
			<p className="hint">PDF, scans and pictures, Office files, web pages, mails, tables, chats, archives and more.</p>
		</DropZone>
	);
}

interface ContentFormProps {
	readonly label: string;
	readonly action: string;
	readonly add: Add;
	/** What is said when there is nothing to add. */
	readonly empty: string;
	readonly rows?: number;
	readonly placeholder?: string;
	readonly isAddress?: boolean;
	readonly children: ReactNode;
}

function ContentForm({ label, action, add, empty, rows, placeholder, isAddress = false, children }: ContentFormProps) {
	const [content, setContent] = useState("");
	const [problem, setProblem] = useState<string | null>(null);
	const submit = () => {
		const given = content.trim();
		const isRight = isAddress ? /^https?:\/\/\S+$/i.test(given) : given !== "";
		setProblem(isRight ? null : empty);
		if (!isRight) return;
		add([{ content: given }]);
		setContent("");
	};
	return (
		<Form
			onSubmit={(event) => {
				event.preventDefault();
				submit();
			}}
		>
			<Field
				label={label}
				value={content}
				onChange={setContent}
				problem={problem}
				description={children}
				{...(rows === undefined ? {} : { rows })}
				{...(placeholder === undefined ? {} : { placeholder })}
			/>
			<Button type="submit" className="button filled">
				{action}
			</Button>
		</Form>
	);
}
