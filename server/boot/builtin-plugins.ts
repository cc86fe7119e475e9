/** The built-in plugins, in order of precedence within a kind. Plugins listed in the config come before all of these. */

import type { PluginFactory } from "../../core/plugin/define-plugin.ts";
import bluesky from "../../plugins/address-readers/bluesky.ts";
import github from "../../plugins/address-readers/github.ts";
import googleDrive from "../../plugins/address-readers/google-drive.ts";
import hackerNews from "../../plugins/address-readers/hacker-news.ts";
import mastodon from "../../plugins/address-readers/mastodon.ts";
import reddit from "../../plugins/address-readers/reddit.ts";
import x from "../../plugins/address-readers/x/index.ts";
import youtube from "../../plugins/address-readers/youtube/index.ts";
import folder from "../../plugins/blobs/folder/index.ts";
import blobsInS3 from "../../plugins/blobs/s3/index.ts";
import codeChunker from "../../plugins/chunkers/code/index.ts";
import headings from "../../plugins/chunkers/headings.ts";
import paragraphs from "../../plugins/chunkers/paragraphs.ts";
import table from "../../plugins/chunkers/table.ts";
import transcript from "../../plugins/chunkers/transcript.ts";
import dropbox from "../../plugins/connectors/dropbox/index.ts";
import folderConnector from "../../plugins/connectors/folder/index.ts";
import githubConnector from "../../plugins/connectors/github/index.ts";
import gmail from "../../plugins/connectors/gmail/index.ts";
import googleDriveConnector from "../../plugins/connectors/google-drive/index.ts";
import imap from "../../plugins/connectors/imap/index.ts";
import notion from "../../plugins/connectors/notion/index.ts";
import onedrive from "../../plugins/connectors/onedrive/index.ts";
import rss from "../../plugins/connectors/rss/index.ts";
import s3 from "../../plugins/connectors/s3/index.ts";
import webCrawler from "../../plugins/connectors/web-crawler/index.ts";
import webdav from "../../plugins/connectors/webdav/index.ts";
import hashing from "../../plugins/embedders/hashing.ts";
import ollamaEmbedder from "../../plugins/embedders/ollama/index.ts";
import onnxEmbedder from "../../plugins/embedders/onnx/index.ts";
import openaiEmbedder from "../../plugins/embedders/openai/index.ts";
import staticTable from "../../plugins/embedders/static/index.ts";
import archive from "../../plugins/extractors/archive/index.ts";
import calendar from "../../plugins/extractors/calendar/index.ts";
import chat from "../../plugins/extractors/chat/index.ts";
import code from "../../plugins/extractors/code/index.ts";
import csv from "../../plugins/extractors/csv/index.ts";
import epub from "../../plugins/extractors/epub/index.ts";
import html from "../../plugins/extractors/html/index.ts";
import json from "../../plugins/extractors/json/index.ts";
import mail from "../../plugins/extractors/mail/index.ts";
import markdown from "../../plugins/extractors/markdown/index.ts";
import media from "../../plugins/extractors/media/index.ts";
import notebook from "../../plugins/extractors/notebook/index.ts";
import office from "../../plugins/extractors/office/index.ts";
import pages from "../../plugins/extractors/pages/index.ts";
import rtf from "../../plugins/extractors/rtf/index.ts";
import text from "../../plugins/extractors/text/index.ts";
import xml from "../../plugins/extractors/xml/index.ts";
import anthropic from "../../plugins/language-models/anthropic/index.ts";
import gemini from "../../plugins/language-models/gemini/index.ts";
import openai from "../../plugins/language-models/openai/index.ts";
import languageModel from "../../plugins/memory-extractors/language-model/index.ts";
import statements from "../../plugins/memory-extractors/statements/index.ts";
import similarity from "../../plugins/memory-linkers/similarity/index.ts";
import abbreviations from "../../plugins/query-rewriters/abbreviations.ts";
import languageModelRewriter from "../../plugins/query-rewriters/language-model/index.ts";
import synonyms from "../../plugins/query-rewriters/synonyms/index.ts";
import onnxReranker from "../../plugins/rerankers/onnx/index.ts";
import postgres from "../../plugins/stores/postgres/index.ts";
import ram from "../../plugins/stores/ram/index.ts";
import sqlite from "../../plugins/stores/sqlite/index.ts";

/** The plugins that are used by default, by kind. */
export const defaultParts = { storage: "sqlite", blobStore: "folder", embedder: "static" } as const;

export const builtinPlugins = [
	sqlite,
	ram,
	postgres,
	folder,
	blobsInS3,
	archive,
	code,
	csv,
	epub,
	html,
	json,
	mail,
	markdown,
	// This comes after markdown, which may contain lines like the turns of a chat.
	calendar,
	chat,
	media,
	notebook,
	office,
	pages,
	rtf,
	text,
	xml,
	// These come before headings, so that a table or a chat with headings is split as a table or a chat.
	table,
	transcript,
	codeChunker,
	headings,
	paragraphs,
	staticTable,
	hashing,
	onnxEmbedder,
	openaiEmbedder,
	ollamaEmbedder,
	openai,
	anthropic,
	gemini,
	languageModel,
	statements,
	similarity,
	onnxReranker,
	abbreviations,
	synonyms,
	languageModelRewriter,
	// Readers for certain hosts come before mastodon, which accepts URLs of a certain form on any host.
	bluesky,
	github,
	googleDrive,
	hackerNews,
	reddit,
	x,
	youtube,
	mastodon,
	webCrawler,
	s3,
	githubConnector,
	rss,
	folderConnector,
	webdav,
	notion,
	googleDriveConnector,
	gmail,
	imap,
	onedrive,
	dropbox,
] as readonly PluginFactory<never>[];
