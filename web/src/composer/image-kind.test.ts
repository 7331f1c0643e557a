import { expect, test } from 'vitest';
import { kindOf, renamed } from './image-kind.ts';

const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

test('the first bytes say what a file is', () => {
  expect(kindOf(bytes('\x89PNG\r\n\x1a\n….'))).toBe('image/png');
  expect(kindOf(bytes('\xff\xd8\xff\xe0'))).toBe('image/jpeg');
  expect(kindOf(bytes('RIFF\x01\x0a\x00\x00WEBPVP8 '))).toBe('image/webp');
  expect(kindOf(bytes('GIF89a'))).toBe('image/gif');
  expect(kindOf(bytes('\x00\x00\x00\x18ftypheic'))).toBe('other');
  expect(kindOf(bytes('BM'))).toBe('other');
});

test('documents are never tried, SVG neither', () => {
  for (const text of ['', '<svg onload=alert(1)>', '\xef\xbb\xbf<?xml', '\n <!doctype html>', '%PDF-1.7'])
    expect(kindOf(bytes(text))).toBe('never');
});

test('a name follows the type that was made', () => {
  expect(renamed('IMG_0001.HEIC', 'image/jpeg')).toBe('IMG_0001.jpg');
  expect(renamed('photo.JPEG', 'image/jpeg')).toBe('photo.JPEG');
  expect(renamed('shot', 'image/png')).toBe('shot.png');
  expect(renamed('v1.2 notes.webp', 'image/png')).toBe('v1.2 notes.png');
});
