# shellcheck shell=bash
# SPDX-License-Identifier: 0BSD
# Services of others whose logs tee keeps. Each writes a line with the number of a request.

# configure_service NAME: the command that starts it, in the array service. Its files are in
# the directory $at, and its socket is socket there.
configure_service() {
	case $1 in
	http.server)
		service=(/usr/bin/python3 -u -m http.server --bind 127.0.0.1 --directory "$at" 0)
		;;
	nginx)
		cat >"$data/nginx.conf" <<-END
			master_process off;
			pid $at/pid;
			error_log stderr;
			events { }
			http {
				access_log off;
				client_body_temp_path $at/temp;
				proxy_temp_path $at/temp;
				fastcgi_temp_path $at/temp;
				uwsgi_temp_path $at/temp;
				scgi_temp_path $at/temp;
				server { listen unix:$at/socket; root $at; }
			}
		END
		service=(/usr/sbin/nginx -e stderr -p "$at" -c "$at/nginx.conf" -g 'daemon off;')
		;;
	redis)
		service=(redis-server --port 0 --unixsocket "$at/socket" --dir "$at" --save ''
			--enable-debug-command yes)
		;;
	esac
}

# ready NAME LOG: the service answers; http.server says in LOG where.
ready() {
	case $1 in
	http.server) grep -q '^Serving HTTP' "$2" ;;
	*) [ -S "$data/socket" ] ;;
	esac
}

# request NAME LOG FROM TO: makes these requests, one after the other.
request() {
	python - "$@" "$data/socket" <<-'END'
		import re, socket, sys
		name, log, first, last, path = sys.argv[1:]
		def ask(what):
		    if name == 'http.server':
		        port = re.findall(r'^Serving HTTP .* port (\d+)', open(log).read(), re.M)[-1]
		        end = socket.create_connection(('127.0.0.1', int(port)))
		    else:
		        end = socket.socket(socket.AF_UNIX)
		        end.connect(path)
		    end.sendall(what.encode())
		    if name != 'redis':
		        end.shutdown(socket.SHUT_WR)
		    assert end.recv(4096)
		    end.close()
		for n in range(int(first), int(last) + 1):
		    ask(f'DEBUG LOG number-{n}.\r\n' if name == 'redis' else
		        f'GET /number-{n}. HTTP/1.0\r\n\r\n')
	END
}

# requests: of the log on standard input, the numbers of the requests, each once.
requests() {
	grep -o 'number-[0-9]*\.' | tr -dc '0-9\n' | uniq
}
