"""Files in: answers, chunks and cases, read line by line with every refusal named."""
